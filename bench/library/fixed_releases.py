"""Findings of `falsum api` on an old release: the last release that shows each, and the first one that does
not.

DIRECTORY is a store of a campaign. The reduced trace of every finding is replayed on newer releases of the
same product, by bisection; the newest release is tried first.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.command import command_parser

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult
from falsum.api.trace import Trace, read_trace
from falsum.solvers.solver import resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo

OTHERS = ("z3", "cvc5", "bitwuzla")


class Releases:
    """The releases of a product from a given one on, oldest first."""

    def __init__(self, name: str, zoo: Zoo) -> None:
        self.zoo = zoo
        product = name.partition("@")[0]
        first = resolve(name, zoo).release
        assert first is not None
        releases = [r for r in zoo.all() if r.product == product and r.folder is not None]
        newer = [r for r in releases if parse_version(r.version) >= parse_version(first.version)]
        self.names = [r.name for r in sorted(newer, key=lambda r: parse_version(r.version))]

    def replay(self, index: int, trace: Trace, like: RunResult | None = None) -> RunResult:
        others = [resolve(other, self.zoo) for other in OTHERS]
        with Fuzzer(resolve(self.names[index], self.zoo), Settings(seconds=5), others) as fuzzer:
            return fuzzer.replay(trace, like=like)

    def fixed(self, trace: Trace) -> tuple[str, str, RunResult]:
        """The last release with the failure of the first one, and the next release, "" if there is none."""
        first = self.replay(0, trace)

        def shows(index: int) -> bool:
            now = self.replay(index, trace, first)
            return first.is_wrong and (now.status, now.kind) == (first.status, first.kind)

        last, without = 0, len(self.names) - 1
        if shows(without):
            return self.names[-1], "", first
        while without - last > 1:
            middle = (last + without) // 2
            last, without = (middle, without) if shows(middle) else (last, middle)
        return self.names[last], self.names[without], first


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.fixed_releases", __doc__)
    made.add_argument("directory", nargs="+", type=Path, metavar="STORE", help="store of a campaign")
    return made


def main() -> None:
    args = parser().parse_args()
    zoo = Zoo()
    for file in sorted(path for each in args.directory for path in each.glob("findings/*/small.trace")):
        trace = read_trace(file.read_text())
        last, without, first = Releases(trace.header["solver"], zoo).fixed(trace)
        until = f"up to {last}, not in {without}" if without else f"still in {last}"
        print(f"{file.parent.name}: {until}; {first.status} {first.kind}: {first.evidence[:120]}", flush=True)


if __name__ == "__main__":
    main()
