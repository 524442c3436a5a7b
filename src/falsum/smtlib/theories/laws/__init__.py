"""One module per theory, one table each."""
