"""→ Consequence. What follows from answers of solvers, put to other solvers as terms and scripts."""
