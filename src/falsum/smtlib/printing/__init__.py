"""→ text. Prints terms and scripts, with the place of every term, and values as terms."""
