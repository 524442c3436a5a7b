"""FuzzPlan: seeds, solvers, strategies and limits of a campaign over scripts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Final, Self

import msgspec

from falsum.campaign.corpus.seed_files import SeedFile
from falsum.campaign.guides import STATISTICS
from falsum.campaign.plan import Plan
from falsum.campaign.search.configurations import OFF
from falsum.campaign.search.schedule import BATCH_COUNT, LEARN
from falsum.campaign.search.time_rules import MIN_SECONDS, SEED_MULTIPLE

# How often models are asked for: a solver that produces models takes other paths, and both are worth taking.
MODEL_SHARE: Final = 0.5


class FuzzPlan(Plan, frozen=True, kw_only=True):
    """No seeds are the bundled ones.

    `operators` is the text of an operator file. A seed has `per_visit` mutants before the next one is taken;
    a mutant gets `multiple` times what its seed took, and at least `least` seconds; models are asked for a
    share `models` of the mutants. `schedule` says how batches are chosen. Solvers
    are compared with themselves with other `engines` and drawn `options`. `compare_with` are those of the
    solvers that are not under test. Seeds are those of the `logics` that use a theory of `theories`. `guide`
    says which behaviour of solvers is learned from.
    """

    seeds: tuple[str, ...]
    solvers: tuple[str, ...]
    strategies: tuple[str, ...]
    rng: int
    timeout: float
    memory: int
    seeds_digest: str = ""
    operators: str = ""
    per_visit: int = BATCH_COUNT
    least: float = MIN_SECONDS
    multiple: float = SEED_MULTIPLE
    models: float = MODEL_SHARE
    schedule: str = LEARN
    engines: bool = True
    compare_with: tuple[str, ...] = ()
    logics: tuple[str, ...] = ()
    theories: tuple[str, ...] = ()
    options: str = OFF
    guide: str = STATISTICS
    focus: tuple[str, ...] = ()

    @property
    def by_time(self) -> bool:
        """Whether elapsed time may influence the work: not if mutants are counted, since they must be
        reproducible.

        If it may, nothing is made from mutants that are too hard, and strategies do not use solvers that were
        too slow on a seed.
        """
        return self.count is None

    @property
    def observes(self) -> bool:
        """Whether workers ask solvers for statistics."""
        return self.schedule == LEARN and self.guide == STATISTICS

    @property
    def only_new(self) -> bool:
        """Whether mutants that a worker has run before are left out, since batches of one seed and strategy
        share many. A batch then ends with the first mutant that shows a bug, because the next ones mostly
        show the same.
        """
        return self.by_time and self.schedule == LEARN

    def of_workers(self, solvers: Iterable[str]) -> Self:
        """The part of the plan that a batch needs, with the solvers that are still used."""
        return msgspec.structs.replace(self, solvers=tuple(solvers), seeds=(), baseline="")

    def plain(self) -> dict[str, Any]:
        plain_plan: dict[str, Any] = msgspec.to_builtins(self)
        return plain_plan

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Self:
        return msgspec.convert(plain, cls)


def digest_of(seeds: Iterable[SeedFile]) -> str:
    """A digest of an ordered list of seeds."""
    digests = " ".join(seed.digest for seed in seeds)
    return hashlib.sha256(digests.encode()).hexdigest()[:16]
