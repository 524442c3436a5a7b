"""→ SolverInput. What a solver gets of a script: the part that is understood and harmless, in its dialect."""
