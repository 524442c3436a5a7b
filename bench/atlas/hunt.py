"""Mutants that show something wrong in old releases, from scripts that do or nearly do: seeds of the atlas.

Every seed is put to a few releases of a product. For each symptom and span of releases that show it, mutants
of the seed are made until one shows the same in the newest release of the span. The mutants are kept, never
the seeds.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.atlas.symptoms import LATE, symptom

from falsum.errors import FalsumError
from falsum.smtlib.text.lexer import decode
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME
from falsum.strategies.mutant import Mutant, Seed

# Releases between which bugs came and went, the oldest first, and the newest: as many as stay warm at once.
RELEASES: Final = {
    "z3": (
        "z3@4.5.1.0.post2", "z3@4.8.0.0.post1", "z3@4.8.5.0", "z3@4.8.7.0", "z3@4.8.8.0", "z3@4.8.10.0",
        "z3@4.8.14.0", "z3@4.12.2.0", "z3@4.13.3.0", "z3@5.0.0.0",
    ),
    "cvc5": ("cvc4@1.8", "cvc5@1.0.3", "cvc5@1.1.2", "cvc5@1.2.1", "cvc5@1.3.1"),
}  # fmt: skip
NEWEST: Final = {"z3": "z3", "cvc5": "cvc5"}
STRATEGIES: Final = ("typefuzz", "havoc", "opfuzz", "sparrow", "fuzzchick")
LONGEST: Final = 6000  # bytes; longer seeds cost more than they bring
_SECONDS: Final = 0.5  # CPU time of a solver
_ELAPSED: Final = 20.0
_MUTANTS: Final = 50
_MOST_LATE: Final = 4


@dataclass(frozen=True, slots=True)
class Hunt:
    """The releases of one product, and mutants of seeds that are put to them."""

    product: str
    lab: LiveLab
    releases: Sequence[str]

    @classmethod
    def of(cls, product: str) -> Hunt:
        zoo = Zoo()
        names = (NEWEST[product], *RELEASES[product])
        limits = Limits(seconds=_ELAPSED, cpu=_SECONDS)
        return cls(product, LiveLab([resolve(name, zoo) for name in names], limits), RELEASES[product])

    def hits(self, file: Path) -> list[dict[str, Any]]:
        """Mutants of a seed, with the release that seems wrong about them."""
        seed = Seed(file.stem, decode(file.read_bytes()))
        try:
            if not seed.script.assertions or len(seed.text) > LONGEST:
                return []
        except FalsumError:
            return []
        rng = Random(zlib.crc32(file.name.encode()))
        return [
            hit
            for shown, releases in self._symptoms(seed.text).items()
            if (hit := self._mutant(seed, shown, releases, rng)) is not None
        ]

    def _symptoms(self, text: str) -> dict[str, list[str]]:
        """The symptoms with the releases that show them, the oldest first."""
        names: dict[str, list[str]] = {}
        late = 0
        for release in self.releases:
            shown = symptom(text, release, NEWEST[self.product], self.lab)
            late += shown == LATE
            if shown and shown != LATE:
                names.setdefault(shown, []).append(release)
            if late >= _MOST_LATE:
                break
        return names

    def _mutant(self, seed: Seed, shown: str, releases: list[str], rng: Random) -> dict[str, Any] | None:
        kind = shown.partition(":")[0]
        for mutant, strategy in self._mutants(seed, rng):
            now = symptom(mutant.text, releases[-1], NEWEST[self.product], self.lab)
            if now.partition(":")[0] == kind:
                return {
                    "release": releases[-1], "releases": releases, "symptom": now, "script": mutant.text,
                    "strategy": strategy, "lineage": list(mutant.lineage),
                }  # fmt: skip
        return None

    def _mutants(self, seed: Seed, rng: Random) -> Iterator[tuple[Mutant, str]]:
        """A few mutants of each strategy in turn."""
        newest = SubsetLab(self.lab, (NEWEST[self.product],))
        for name in STRATEGIES:
            mutants = BY_NAME[name].mutants((seed,) * BY_NAME[name].arity, rng, newest)
            try:
                for mutant in islice(mutants, _MUTANTS // len(STRATEGIES)):
                    if mutant.text.split() != seed.text.split():
                        yield mutant, name
            except FalsumError:
                continue
