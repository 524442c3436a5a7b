"""Known bugs of old releases: what is still or newly wrong in the release that fixed each of them.

    python -m bench.triage.refixes KNOWN_BUGS TABLE
    falsum refix TABLE --count 200 --out DIR

writes the table that `falsum refix` reads: the triggers that an installed release shows with default options,
each with the newest release that shows it and the first installed one with the fix.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from bench.command import command_parser
from bench.known_bugs import load

from falsum.solvers.zoo import Zoo


def parser() -> argparse.ArgumentParser:
    arguments = command_parser("bench.triage.refixes", __doc__)
    arguments.add_argument("bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    arguments.add_argument("table", type=Path, metavar="TABLE", help="file to write (.tsv)")
    return arguments


def main() -> None:
    args = parser().parse_args()
    bugs = load(args.bugs, Zoo())
    with args.table.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(["trigger", "fixed", "broken"])
        for bug in bugs:
            trigger = args.bugs.absolute() / "triggers" / f"{bug.trigger.name}.smt2"
            # A bug of cvc4 is mended in cvc5: of another name, which refix does not compare.
            if bug.buggy.partition("@")[0] == bug.fixed.partition("@")[0]:
                rows.writerow([trigger, bug.fixed, bug.buggy])
    print(f"{len(bugs)} bugs")


if __name__ == "__main__":
    main()
