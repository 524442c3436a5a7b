"""→ Script. The reader: commands, terms, sorts, scopes, and what solvers accept beyond the standard."""
