"""Prints a gigabyte."""

import sys

for _ in range(1 << 14):
    sys.stdout.write("x" * (1 << 16))
