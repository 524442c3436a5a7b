"""→ tokens. Text cut into tokens, S-expressions and commands, before anything in it is understood."""
