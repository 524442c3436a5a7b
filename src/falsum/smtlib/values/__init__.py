"""→ payload. Values as plain Python objects, and the functions that operators denote; no terms."""
