"""→ Answer. Solvers: found, installed, asked cold or warm, limited, and never trusted."""
