"""`falsum audit` on scripts with an old release: which known bugs it names, and whether it names any wrongly.

A name is false if the release does not have the bug, or if some operator of the bug is nowhere in the query,
by a reading of its own: terms instead of words. Then the newest release is asked as well: of the queries
about which the old one is contradicted, how many were exposed to a bug?
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from bench.command import command_parser
from bench.experiment import machine

from falsum.atlas.bug import AtlasBug
from falsum.atlas.collection import bug_named
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import DefineFun, DefineFunsRec
from falsum.smtlib.terms import App, Term
from falsum.smtlib.text.lexer import decode
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import subterms
from falsum.solvers.names import family_of

_TIMEOUT = "2s"


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.audits.exposure", __doc__)
    made.add_argument("scripts", type=Path, nargs="+", metavar="SEEDS", help="scripts, and folders of them")
    made.add_argument("--release", default="z3@4.8.5", metavar="S", help="release (default z3@4.8.5)")
    made.add_argument("--count", type=int, default=100, metavar="N", help="scripts (default 100)")
    made.add_argument("--rng", type=int, default=1, metavar="N", help="choice of the scripts (default 1)")
    return made


def main() -> None:
    args = parser().parse_args()
    found = sorted(file for place in args.scripts for file in _scripts(place))
    readable = [file for file in found if operators_in(file)]
    files = sorted(Random(args.rng).sample(readable, min(args.count, len(readable))))
    rows = audited(files, args.release)
    named = {row["query"]: row.get("exposed", []) for row in rows}
    wrong = {row["query"] for row in rows if args.release in row.get("suspects", ())}
    false = [
        (query, name) for query, names in named.items() for name in names
        if is_false(bug_named(name), args.release, operators_in(Path(query)))
    ]  # fmt: skip
    counts = Counter(name for names in named.values() for name in names)
    exposed = {query for query, names in named.items() if names}
    print(f"{len(files)} queries, {args.release}: {len(exposed)} exposed, to {len(counts)} different bugs")
    print(f"{sum(counts.values())} names, {len(false)} of them false")
    print(f"{len(wrong)} answered wrongly, {len(wrong & exposed)} of them exposed")
    for query, name in false:
        print(f"  false: {query}: {name}")
    for name, number in counts.most_common(10):
        print(f"  {name}: {number}")
    print(machine())


def _scripts(place: Path) -> list[Path]:
    return sorted(place.rglob("*.smt2")) if place.is_dir() else [place]


def audited(files: Sequence[Path], release: str) -> list[dict[str, Any]]:
    """The rows of `falsum audit`, for each check of each file."""
    with tempfile.TemporaryDirectory(prefix="falsum-bench-") as folder:
        (Path(folder) / "files").write_text("".join(f"{file.absolute()}\n" for file in files))
        words = ["audit", f"@{folder}/files", "-s", release, "-s", family_of(release), "-j", "1"]
        words += ["--timeout", _TIMEOUT, "--no-evidence", "--out", f"{folder}/out", "--json"]
        run = subprocess.run(
            [sys.executable, "-c", "from falsum.app.main import main; main()", *words],
            stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    return [json.loads(line) for line in run.stdout.splitlines()]


def is_false(bug: AtlasBug, release: str, operators: frozenset[str]) -> bool:
    """Whether a bug was named though the release does not have it, or an operator of it is not there."""
    own = {name for name in bug.operators if name in OPERATORS}
    return not bug.is_in(release, release.partition("@")[2]) or not own <= operators


def operators_in(file: Path) -> frozenset[str]:
    """The operators in the terms of a script; none if it cannot be read."""
    try:
        script = read_script(decode(file.read_bytes()))
    except FalsumError:
        return frozenset()
    terms: list[Term] = list(script.assertions)
    for command in script.commands:
        if isinstance(command, DefineFun):
            terms.append(command.body)
        elif isinstance(command, DefineFunsRec):
            terms += command.bodies
    symbols = (part.head.symbol for term in terms for part in subterms(term) if isinstance(part, App))
    return frozenset(symbol.canonical.name for symbol in symbols if isinstance(symbol, Operator))


if __name__ == "__main__":
    main()
