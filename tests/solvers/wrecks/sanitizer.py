"""Exits with a sanitizer's report."""

import sys

sys.stderr.write("==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n")
sys.exit(1)
