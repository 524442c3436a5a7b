"""→ Trace. Model-based fuzzing of solver libraries: valid random calls, one readable line each."""
