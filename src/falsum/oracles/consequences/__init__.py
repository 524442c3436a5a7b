"""→ Finding. Oracles that put what follows from an answer to the solvers, as scripts of its own."""
