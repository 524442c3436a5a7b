"""Known bugs that a solver shows only in another configuration, found by comparing it with itself.

KNOWN_BUGS has `bugs.tsv` with the triggers it names. Each trigger loses its options and tactics and is put to
the last installed release that has the bug: as it is, and in every configuration that campaigns use (script
modes and engines). Printed are the bugs for which the plain answer is not wrong and some configuration
contradicts it or crashes, confirmed in fresh processes. The release alone is asked.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from pathlib import Path

from bench.command import command_parser
from bench.known_bugs import releases_showing

from falsum.campaign.search.configurations import Configurations
from falsum.smtlib.text.command_text import split_commands
from falsum.smtlib.text.lexer import decode
from falsum.solvers.answer import Answer, Cause
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def plain_script(text: str) -> str:
    """The script without options, with plain checks."""
    commands, _closed = split_commands(text)
    kept = [command for command in commands if command.name != "set-option"]
    return "".join("(check-sat)" if c.name == "check-sat-using" else c.text for c in kept)


def differences(lab: LiveLab, base: str, names: list[str], script: str) -> Iterator[tuple[str, str, str]]:
    """The configurations whose cold answer contradicts the plain one, or that crash where it does not."""
    plain = lab.ask(Request(base, script, Want.VERDICT, cold=True))
    if _crashes(plain):
        return
    for name in names:
        answer = lab.ask(Request(name, script))
        if _differ(plain, answer) and _differ(plain, cold := lab.ask(Request(name, script, cold=True))):
            yield name, _words(plain), _words(cold)


def _differ(plain: Answer, other: Answer) -> bool:
    pairs = zip(plain.verdicts, other.verdicts, strict=False)
    return _crashes(other) or any(one.contradicts(two) for one, two in pairs)


def _crashes(answer: Answer) -> bool:
    return answer.crashed and answer.ending.cause is not Cause.SELF_CHECK


def _words(answer: Answer) -> str:
    return " ".join(map(str, answer.verdicts)) or str(answer.ending.kind)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.engines", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("--seconds", type=float, default=2.0, metavar="S", help="limit of a call (default 2)")
    made.add_argument("--tier", default="2", metavar="N", help="1 or 2 (default 2)")
    return made


def main() -> None:
    args = parser().parse_args()
    zoo = Zoo()
    releases = zoo.all()
    with (args.known_bugs / "bugs.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["tier"] == args.tier]
    found = tried = 0
    start = time.monotonic()
    for row in rows:
        showing = releases_showing(row, releases)
        if not showing:
            continue
        base = resolve(showing[-1].name, zoo)
        names = Configurations([base], engines=True).names
        script = plain_script(decode((args.known_bugs / row["trigger"]).read_bytes()))
        tried += 1
        with LiveLab([base, *(resolve(name, zoo) for name in names)], Limits(seconds=args.seconds)) as lab:
            shown = list(differences(lab, base.name, names, script))
        found += bool(shown)
        for name, plain, other in shown:
            print(f"{row['id']:16}{row['kind']:22}{row['config']:40}{name}: {other}, not {plain}", flush=True)
    print(f"{found} of {tried} bugs shown by another configuration ({time.monotonic() - start:.0f} s)")


if __name__ == "__main__":
    main()
