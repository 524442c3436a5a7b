"""The laws of the theories, one module per theory."""
