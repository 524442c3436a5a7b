"""Progress: the loop that makes cases, asks solvers, and keeps what it finds."""
