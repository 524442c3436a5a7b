"""→ Script. The language: sorts, terms, scripts, their reader, printer and evaluator.

No randomness, no processes, no files but those a caller names.
"""

from __future__ import annotations

import sys

from falsum.smtlib.printing.printer import print_command, print_script, print_term
from falsum.smtlib.scripts import Script
from falsum.smtlib.syntax.reader import read_file, read_script, read_term

# The reader limits the length of numerals itself.
sys.set_int_max_str_digits(0)

__all__ = [
    "Script",
    "print_command",
    "print_script",
    "print_term",
    "read_file",
    "read_script",
    "read_term",
]
