"""Benchmarks of a contest: a release, its bugs in the atlas, and seeds near or far from them.

Near seeds are the scripts of the bugs after a small change that hides the bug. Far seeds are the bundled
seeds that use a theory of one of the bugs, or no theory.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from falsum.atlas.bug import AtlasBug
from falsum.campaign.corpus.seed_files import gather
from falsum.contest.atlas_target import standing_of
from falsum.defects.identity.signature import operators_of
from falsum.defects.targets.standing import Standing
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME
from falsum.strategies.mutant import Seed

NEAR: Final = "near"
FAR: Final = "far"
KINDS: Final = (NEAR, FAR)
_STRATEGIES: Final = ("opfuzz", "typefuzz")
_SEEDS: Final = 2  # near each bug
_ATTEMPTS: Final = 12  # of each strategy
_LIMITS: Final = Limits(seconds=20.0, cpu=2.0)
_MOST_FAR: Final = 150


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark: `bugs` are those of the release; `reference` is the newest release of its product."""

    release: str
    reference: str
    kind: str
    bugs: tuple[AtlasBug, ...]
    seeds: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return f"{self.release} {self.kind}"


def near_seeds(bugs: Sequence[AtlasBug], release: str, reference: str) -> tuple[tuple[str, str], ...]:
    """Scripts one mutation away from those of the bugs that show none of the bugs."""
    zoo = Zoo()
    with LiveLab([resolve(name, zoo) for name in (release, reference)], _LIMITS) as lab:
        return tuple(
            (f"{bug.name}-{number}", seed.text)
            for bug in bugs
            for number, seed in enumerate(islice(_near(bug, release, reference, lab), _SEEDS))
        )


def _near(bug: AtlasBug, release: str, reference: str, lab: LiveLab) -> Iterator[Seed]:
    seed = Seed(bug.name, bug.script)
    rng = Random(zlib.crc32(bug.name.encode()))
    for name in _STRATEGIES:
        strategy = BY_NAME[name]
        try:
            for mutant in islice(strategy.mutants((seed,) * strategy.arity, rng, lab), _ATTEMPTS):
                if _is_harmless(mutant.text, bug, release, reference, lab):
                    yield Seed(bug.name, mutant.text)
                    break
        except FalsumError:
            continue


def _is_harmless(text: str, bug: AtlasBug, release: str, reference: str, lab: LiveLab) -> bool:
    """Whether the release and the newest one give the same orderly answer."""
    answers = [lab.ask(Request(name, text)) for name in (release, reference)]
    if any(not answer.finished for answer in answers) or answers[0].verdicts != answers[1].verdicts:
        return False
    if not any(verdict.decided for verdict in answers[0].verdicts):
        return False
    return standing_of(bug, release, lab, text) is not Standing.BAD


def far_seeds(bugs: Sequence[AtlasBug]) -> tuple[tuple[str, str], ...]:
    """Bundled seeds of the theories of the bugs."""
    theories = {theory for bug in bugs for theory in _theories(bug.script)}
    seeds = []
    for file in gather(()).seeds:
        text = file.text()
        if _theories(text) <= theories:
            seeds.append((Path(file.name).stem + f"-{file.digest[:6]}", text))
    return tuple(seeds[:: max(1, len(seeds) // _MOST_FAR)])


def _theories(text: str) -> set[str]:
    try:
        return set(operators_of(read_script(text).assertions)[0])
    except FalsumError:
        return set()


def benchmarks(
    releases: Sequence[str], bugs: Sequence[AtlasBug], kinds: Sequence[str], reference: str
) -> list[Benchmark]:
    """Benchmarks of these releases with the bugs that each has."""
    entries = []
    for release in releases:
        version = resolve(release, Zoo()).version
        own = tuple(bug for bug in bugs if bug.is_in(release, version) and not bug.settings and bug.fixed)
        for kind in kinds if own else ():
            seeds = near_seeds(own, release, reference) if kind == NEAR else far_seeds(own)
            entries.append(Benchmark(release, reference, kind, own, seeds))
    return entries
