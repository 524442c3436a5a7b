"""→ Model. Interpretations of a script's symbols: read from solvers, printed, random."""
