"""Batch: one deterministic unit of work of a campaign over scripts; plain data."""

from __future__ import annotations

from typing import Final

import msgspec

from falsum.campaign.executors.executor import Task, content_digest
from falsum.campaign.fuzz.plan import MODEL_SHARE
from falsum.campaign.fuzz.seed_profile import SLOW_SECONDS
from falsum.campaign.fuzz.tally import FuzzTally
from falsum.campaign.fuzz.time_limits import MIN_SECONDS, SEED_MULTIPLE
from falsum.campaign.outcome import LOST, BatchOutcome
from falsum.campaign.program_marks import ProgramMark
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

    It ends earlier after `enough` mutants (if not 0) or `cpu` seconds of CPU time, unless it took longer than
    that to prepare the seeds; profiles of seeds are not counted. A new seed that no solver decides within
    `patience` seconds is put off.

    With `by_time`, time may decide what is asked: nothing is made from mutants that are too hard, and
    strategies do not ask solvers that were too late for a seed. With `only_new`, mutants that the worker has
    asked about before are left out, as batches of one seed and strategy have many in common, and a batch ends
    with the first mutant that shows a bug, as the next one most often shows the same. With `observes`, new
    behaviour of solvers is told. `variants` are the solvers of its configuration, each with the solver it
    is compared with, `marks` what the files of solvers were at the start. Most fields are those of the plan.
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
    cpu: float = 60.0
    enough: int = 0
    operators: str = ""
    least: float = MIN_SECONDS
    multiple: float = SEED_MULTIPLE
    patience: float = SLOW_SECONDS
    models: float = MODEL_SHARE
    only_new: bool = False
    by_time: bool = False
    observes: bool = False
    configuration: str = ""
    variants: dict[str, str] = {}
    marks: dict[str, ProgramMark] = {}

    def record(self, tally: FuzzTally, ending: str) -> BatchRecord:
        seeds = _BETWEEN_NAMES.join(seed.name for seed in self.seeds)
        return BatchRecord(
            self.number, self.strategy, seeds, tally.mutants, tally.seconds, ending, tally.plain()
        )


def packed(batch: Batch) -> tuple[bytes, dict[str, bytes]]:
    """A batch in bytes, and apart from it what other batches have as well: seeds and operators."""
    attachments: dict[str, bytes] = {}

    def attach(text: str) -> str:
        content = text.encode(errors="surrogatepass")
        attachments[digest := content_digest(content)] = content
        return digest

    bare = msgspec.structs.replace(
        batch,
        seeds=tuple(msgspec.structs.replace(seed, text=attach(seed.text)) for seed in batch.seeds),
        operators=attach(batch.operators) if batch.operators else "",
    )
    return msgspec.msgpack.encode(bare), attachments


def unpacked(task: Task) -> Batch:
    """The batch of a task."""

    def text(digest: str) -> str:
        return task.attachments[digest].decode(errors="surrogatepass")

    bare = msgspec.msgpack.decode(task.body, type=Batch)
    return msgspec.structs.replace(
        bare,
        seeds=tuple(msgspec.structs.replace(seed, text=text(seed.text)) for seed in bare.seeds),
        operators=text(bare.operators) if bare.operators else "",
    )


def lost(batch: Batch, why: str, ending: str = LOST) -> BatchOutcome:
    """The outcome of a batch that did not come back."""
    return BatchOutcome(batch.record(FuzzTally(faults=1), ending), faults=(FaultRecord(SEED_PLACE, why),))


def seed_names(seeds: str) -> list[str]:
    """The names of the seeds in the record of a batch."""
    return seeds.split(_BETWEEN_NAMES)
