"""→ bool. Whether a script is of a form of which more is known: Horn clauses, recursion that ends."""
