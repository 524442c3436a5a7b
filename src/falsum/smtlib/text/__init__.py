"""→ tokens. Splits text into tokens, S-expressions and commands, before anything in it is understood."""
