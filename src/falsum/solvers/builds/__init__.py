"""→ Release. Solvers that are given by their path: programs, libraries, environments, bindings."""
