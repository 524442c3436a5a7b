"""→ Coverage. Boolean sub-expression coercion: the workings of valfuzz (Wolff, 2020)."""
