"""→ SolverInput. What is sent to a solver: the safe part of a script, in the dialect of the release."""
