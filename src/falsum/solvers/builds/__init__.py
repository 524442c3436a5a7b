"""→ Release. Solvers given by their path: programs, libraries, environments, bindings."""
