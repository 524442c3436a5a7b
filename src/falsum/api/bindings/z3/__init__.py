"""The binding of Z3's library."""
