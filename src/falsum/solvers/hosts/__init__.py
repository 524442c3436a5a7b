"""→ Host. Long-lived child processes that answer one script after another."""
