"""→ SolverInput. The input of a solver: the part of a script that is understood and harmless, in its
dialect.
"""
