"""→ Answer. Solvers: found, installed, run warm or cold within limits, and never trusted."""
