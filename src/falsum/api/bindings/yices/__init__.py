"""The binding of Yices's library."""
