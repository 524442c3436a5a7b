"""→ Model. What the symbols of a script stand for: read from solvers, printed, drawn at random."""
