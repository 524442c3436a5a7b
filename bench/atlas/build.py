"""Builds the atlas of solver bugs: hunts for mutants that show bugs of old releases, reduces, judges and
bisects them, tells different bugs apart, and writes the file that comes with falsum.

SEEDS are files and directories of scripts, of solvers' test suites for example; their own texts are never
kept. Results are kept in DIRECTORY; the command continues where it stopped, and extends the atlas that is
there. `--write` only writes the atlas from what is in DIRECTORY.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.atlas.examine import examined
from bench.atlas.hunt import RELEASES, Hunt
from bench.atlas.select import gathered, new_bugs
from bench.atlas.verdicts import with_verdicts
from bench.command import command_parser
from bench.experiment import Experiment, Record, Unit
from bench.triage.published import pages_in

from falsum.atlas.collection import FILE, atlas, write_atlas
from falsum.defects.identity.signature import operators_of
from falsum.errors import FalsumError
from falsum.smtlib import read_script

EXAMINED = "examined"
# Hits that look alike and are examined all the same: they may be different bugs.
_ALIKE = 4


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.atlas.build", __doc__)
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument(
        "seeds", type=Path, nargs="+", metavar="SEEDS", help="scripts, and folders of them, the best first"
    )
    made.add_argument(
        "--product", action="append", choices=tuple(RELEASES), help="product to hunt in (default: all)"
    )
    made.add_argument("--minutes", type=float, metavar="N", help="stop hunting after so long")
    made.add_argument("--write", action="store_true", help="only write the atlas from what is in DIRECTORY")
    made.add_argument(
        "--findings",
        type=Path,
        metavar="FINDINGS",
        help="published findings of ours, which the atlas has, too",
    )
    made.add_argument("--rng", type=int, default=1, metavar="N", help="order within a folder (default 1)")
    return made


def main() -> None:
    args = parser().parse_args()
    files = [file for place in args.seeds for file in _shuffled(place, args.rng)]
    if not args.write:
        until = time.monotonic() + 60 * args.minutes if args.minutes else float("inf")
        Build(args.directory, args.product or list(RELEASES)).run(files, until)
    records = Experiment(args.directory, EXAMINED).records()
    if args.findings:
        records += _published(args.directory, args.findings)
    known = atlas() if FILE.exists() else ()
    made = list(new_bugs(gathered(records), known, files))
    write_atlas([*known, *made])
    write_atlas(with_verdicts(atlas(), args.directory))
    kinds = Counter(bug.kind for bug in atlas())
    print(f"{len(made)} new bugs, {sum(kinds.values())} in all: {dict(kinds)}; {FILE.stat().st_size} bytes")


def _published(directory: Path, folder: Path) -> list[Record]:
    """What is known of the published findings; they are no mutants of seeds of others."""
    pages = {page.name: page for page in pages_in(folder)}

    def measure(unit: Unit) -> dict[str, Any]:
        page = pages[unit["page"]]
        return examined(page.script, page.product, (), renames=False) | {"strategy": ""}

    return Experiment(directory, "published").run(({"page": name} for name in pages), measure)


def _shuffled(place: Path, rng: int) -> list[Path]:
    """The scripts of a folder in an order of chance, or the only script."""
    files = sorted(place.rglob("*.smt2")) if place.is_dir() else [place]
    Random(rng).shuffle(files)
    return files


class Build:
    """Hunts, and what was examined."""

    def __init__(self, directory: Path, products: list[str]) -> None:
        self._hunts = {product: Experiment(directory, f"hunt-{product}") for product in products}
        self._open: dict[str, Hunt] = {}
        self._examined = Experiment(directory, EXAMINED)
        self._alike: Counter[tuple[Any, ...]] = Counter()

    def run(self, files: list[Path], until: float) -> None:
        for file in files:
            for product in self._hunts:
                if time.monotonic() > until:
                    return
                for unit, hit in self._novel(product, file):
                    self._examined.run([unit], partial(_facts, hit))

    def _novel(self, product: str, file: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """What a seed leads to, without what looks like something that was there before."""
        unit = {"seed": str(file), "product": product}
        [record] = self._hunts[product].run([unit], lambda _unit: {"hits": self._hunt(product).hits(file)})
        for hit in record.result["hits"]:
            alike = _looks(product, hit)
            self._alike[alike] += 1
            if self._alike[alike] <= _ALIKE:
                yield {"seed": str(file), "release": hit["release"], "symptom": hit["symptom"]}, hit

    def _hunt(self, product: str) -> Hunt:
        if product not in self._open:
            self._open[product] = Hunt.of(product)
        return self._open[product]


def _looks(product: str, hit: dict[str, Any]) -> tuple[Any, ...]:
    """What a hit looks like: the message of a crash, theories otherwise, and the releases that show it."""
    try:
        theories, _operators = operators_of(read_script(hit["script"]).assertions)
    except FalsumError:
        theories = []
    is_told = hit["symptom"].startswith("crash") and "SIG" not in hit["symptom"]
    about = hit["symptom"] if is_told else (hit["symptom"].partition(":")[0], *theories)
    return product, about, tuple(hit["releases"])


def _facts(hit: dict[str, Any], _unit: Unit) -> dict[str, Any]:
    facts = examined(hit["script"], hit["release"], hit["lineage"])
    return facts | {"strategy": hit["strategy"]}


if __name__ == "__main__":
    main()
