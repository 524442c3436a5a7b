"""→ bool. Whether a script has a form about which more is known: Horn clauses, recursion that ends."""
