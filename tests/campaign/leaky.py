"""A solver for tests that stays: says unsat to every script after one that has a word in it; it crashes if
the word ends with an exclamation mark.

Run as `leaky.py WORD -in` it reads scripts from standard input, as `leaky.py WORD FILE` from a file; a script
ends with `(reset)`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    spoilt = met = False
    word = sys.argv[1].rstrip("!")
    for line in sys.stdin if "-in" in sys.argv else Path(sys.argv[-1]).read_text().splitlines(keepends=True):
        met |= word in line
        if line.startswith("(echo"):
            print(line.split('"')[1], flush=True)
        elif line.startswith("(reset)"):
            spoilt, met = spoilt or met, False
        if "(check-sat" in line and spoilt and word != sys.argv[1]:
            print("fatal error in leaky.cpp:12", file=sys.stderr, flush=True)
            os.abort()
        for _ in range(line.count("(check-sat")):
            print("unsat" if spoilt else "sat", flush=True)


if __name__ == "__main__":
    main()
