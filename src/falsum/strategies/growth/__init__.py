"""→ candidates. Which terms may stand at a place of a seed, and how they are made."""
