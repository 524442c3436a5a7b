"""rewrite: changes that keep the meaning of a seed, by the laws of all theories and by its structure."""
