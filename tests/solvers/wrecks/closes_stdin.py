"""Closes its standard input, then answers."""

import os

os.close(0)
print("unsat")
