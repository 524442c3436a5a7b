"""→ StateChange. What becomes of a finding: re-tested, bisected over commits, compared with a baseline."""
