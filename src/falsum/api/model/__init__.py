"""→ Line. The state machine that decides which call comes next, and the mirror of what has been called."""
