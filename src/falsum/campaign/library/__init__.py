"""→ BatchOutcome. Campaigns over solver libraries: batches of random calls."""
