"""→ Consequence. Consequences of solvers' answers, as terms and scripts for other solvers."""
