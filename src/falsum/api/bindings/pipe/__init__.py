"""The binding of any program that reads SMT-LIB from its standard input."""
