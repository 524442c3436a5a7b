"""Batch: one deterministic unit of work of a campaign over scripts; plain data."""

from __future__ import annotations

from typing import Final

import msgspec

from falsum.campaign.fuzz.plan import MODEL_SHARE
from falsum.campaign.fuzz.tally import FuzzTally
from falsum.campaign.fuzz.time_limits import MIN_SECONDS, SEED_MULTIPLE
from falsum.campaign.outcome import LOST, BatchOutcome
from falsum.store.records import BatchRecord, FaultRecord, MeasureRecord

# Where a finding or a fault is that is about the seed itself.
SEED_PLACE: Final = -1
_BETWEEN_NAMES: Final = " + "


class BatchSeed(msgspec.Struct, frozen=True):
    """A seed of a batch, with what is known of it; `is_profiled` if nothing more needs to be found out.

    `memory` is what strategies noted on earlier visits.
    """

    name: str
    digest: str
    text: str
    measures: tuple[MeasureRecord, ...] = ()
    is_profiled: bool = False
    memory: dict[str, str] = {}


class Batch(msgspec.Struct, frozen=True):
    """`count` mutants of the seeds by a strategy, drawn with the number `rng`, in at most `seconds`.

    With `observes`, new behaviour of solvers is told. `variants` are the solvers of its configuration, each
    with the solver it is compared with. Most fields are those of the plan.
    """

    number: int
    strategy: str
    seeds: tuple[BatchSeed, ...]
    rng: str
    count: int
    solvers: tuple[str, ...]
    timeout: float
    memory: int
    seconds: float = 60.0
    operators: str = ""
    least: float = MIN_SECONDS
    multiple: float = SEED_MULTIPLE
    models: float = MODEL_SHARE
    observes: bool = False
    configuration: str = ""
    variants: dict[str, str] = {}

    def record(self, tally: FuzzTally, ending: str) -> BatchRecord:
        seeds = _BETWEEN_NAMES.join(seed.name for seed in self.seeds)
        return BatchRecord(
            self.number, self.strategy, seeds, tally.mutants, tally.seconds, ending, tally.plain()
        )


def lost(batch: Batch, why: str) -> BatchOutcome:
    """The outcome of a batch that did not come back."""
    return BatchOutcome(batch.record(FuzzTally(faults=1), LOST), faults=(FaultRecord(SEED_PLACE, why),))


def seed_names(seeds: str) -> list[str]:
    """The names of the seeds in the record of a batch."""
    return seeds.split(_BETWEEN_NAMES)
