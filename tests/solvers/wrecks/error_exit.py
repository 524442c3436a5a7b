"""Rejects its input."""

import sys

print('(error "line 1 column 2: Parse Error: unexpected token")')
sys.exit(1)
