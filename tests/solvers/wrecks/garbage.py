"""Prints bytes that are no text, and no answer."""

import sys

sys.stdout.buffer.write(bytes(range(256)) * 40 + b'))))(((" | \xff\xfe')
