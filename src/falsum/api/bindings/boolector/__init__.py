"""The binding of Boolector's library."""
