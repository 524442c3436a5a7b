"""→ AtlasBug. Bugs that releases of solvers had or have: facts, and a small script that shows each."""
