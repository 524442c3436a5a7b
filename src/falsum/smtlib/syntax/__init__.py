"""→ Script. Reads text: commands, terms, sorts, scopes, and what solvers accept beyond the standard."""
