"""→ BatchOutcome. Campaigns over scripts: batches of mutants, run on solvers and examined by oracles."""
