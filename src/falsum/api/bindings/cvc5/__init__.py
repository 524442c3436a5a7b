"""The binding of cvc5's library."""
