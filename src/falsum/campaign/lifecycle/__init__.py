"""→ StateChange. The life of findings: re-tested, bisected over commits, compared with a baseline."""
