"""The binding of Bitwuzla's library."""
