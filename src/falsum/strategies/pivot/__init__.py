"""pivot: any change that keeps the seed's model, or leaves an unsat core alone."""
