"""→ Build. What was compiled into a solver: sanitizers and coverage, what they need, and their reports."""
