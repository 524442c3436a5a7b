"""A strategy and a solver that falsum finds by the entry points in pyproject.toml."""
