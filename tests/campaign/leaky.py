"""A solver for tests that stays: says unsat to every script but the first one it is asked.

Run as `leaky.py -in` it reads scripts from standard input, as `leaky.py FILE` it answers one.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    if "-in" not in sys.argv:
        print("\n".join(["sat"] * Path(sys.argv[-1]).read_text().count("(check-sat")))
        return
    asked = 0
    for line in sys.stdin:
        if line.startswith("(echo"):
            print(line.split('"')[1], flush=True)
        elif "(check-sat" in line:
            asked += 1
            print("sat" if asked == 1 else "unsat", flush=True)


if __name__ == "__main__":
    main()
