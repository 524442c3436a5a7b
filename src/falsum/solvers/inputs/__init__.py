"""→ SolverInput. What a solver gets of a script: only what falsum understands, in its dialect."""
