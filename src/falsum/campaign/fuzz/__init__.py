"""→ BatchOutcome. Campaigns over scripts: batches of mutants, put to solvers and oracles."""
