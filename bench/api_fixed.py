"""What the API fuzzer found in an old release: up to which release it shows, and the first without it.

Run as `python -m bench.api_fixed DIR…`, with directories of campaigns. The small trace of every finding is
replayed on newer releases of the same product, those of the zoo and falsum's own, halving what is left
between one that shows it and one that does not; the newest is asked first.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult
from falsum.api.trace import Trace, read_trace
from falsum.solvers.solver import resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo

OTHERS = ("z3", "cvc5", "bitwuzla")


class Releases:
    """The releases of a product from one on, oldest first, and what they make of a trace."""

    def __init__(self, name: str, zoo: Zoo) -> None:
        self.zoo = zoo
        product = name.partition("@")[0]
        first = resolve(name, zoo).release
        assert first is not None
        there = [r for r in zoo.all() if r.product == product and r.folder is not None]
        newer = [r for r in there if parse_version(r.version) >= parse_version(first.version)]
        self.names = [r.name for r in sorted(newer, key=lambda r: parse_version(r.version))]

    def outcome(self, place: int, trace: Trace, like: RunResult | None = None) -> RunResult:
        others = [resolve(other, self.zoo) for other in OTHERS]
        with Fuzzer(resolve(self.names[place], self.zoo), Settings(seconds=5), others) as fuzzer:
            return fuzzer.replay(trace, like=like)

    def fixed(self, trace: Trace) -> tuple[str, str, RunResult]:
        """The last release that shows what the first one shows, and the next one, "" if there is none."""
        there = self.outcome(0, trace)

        def shows(place: int) -> bool:
            now = self.outcome(place, trace, there)
            return there.is_wrong and (now.status, now.kind) == (there.status, there.kind)

        last, without = 0, len(self.names) - 1
        if shows(without):
            return self.names[-1], "", there
        while without - last > 1:
            middle = (last + without) // 2
            last, without = (middle, without) if shows(middle) else (last, middle)
        return self.names[last], self.names[without], there


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="+", type=Path)
    given = parser.parse_args()
    zoo = Zoo()
    for file in sorted(path for each in given.directory for path in each.glob("findings/*/small.trace")):
        trace = read_trace(file.read_text())
        last, without, there = Releases(trace.header["solver"], zoo).fixed(trace)
        until = f"up to {last}, not in {without}" if without else f"still in {last}"
        print(f"{file.parent.name}: {until}; {there.status} {there.kind}: {there.evidence[:120]}", flush=True)


if __name__ == "__main__":
    main()
