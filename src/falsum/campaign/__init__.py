"""→ BatchOutcome. Campaigns: batches of work, run by workers; what is wrong is recorded and triaged."""
