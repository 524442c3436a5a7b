"""generate: well-sorted random scripts of any logic, from the operator tables alone."""
