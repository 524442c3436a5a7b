"""Batch: one deterministic unit of work of a campaign over scripts; plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from falsum.campaign.executors.executor import Task, content_digest
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.outcome import LOST, SEED_PLACE, BatchOutcome
from falsum.campaign.program_marks import ProgramMark
from falsum.campaign.search.schedule import Slot
from falsum.campaign.search.time_rules import BatchBudget
from falsum.campaign.tally import FuzzTally
from falsum.store.records import BatchRecord, FaultRecord, MeasureRecord

_BETWEEN_NAMES: Final = " + "


class BatchSeed(msgspec.Struct, frozen=True):
    """A seed of a batch and its measures; `is_profiled` if no more measures are needed.

    `memory` is what strategies noted on earlier visits.
    """

    name: str
    digest: str
    text: str
    measures: tuple[MeasureRecord, ...] = ()
    is_profiled: bool = False
    memory: dict[str, str] = {}


class Batch(msgspec.Struct, frozen=True):
    """Mutants of the seeds of a slot, by its strategy, within a budget; the plan says the rest.

    `variants` are the solvers of its configuration, each with the solver it is compared with. `marks`
    identify the files of solvers at the start; `watched` edges are reported if they are reached once more.
    """

    plan: FuzzPlan
    slot: Slot
    seeds: tuple[BatchSeed, ...]
    budget: BatchBudget
    variants: dict[str, str] = {}
    marks: dict[str, ProgramMark] = {}
    watched: dict[str, bytes] = {}

    def record(self, tally: FuzzTally, ending: str) -> BatchRecord:
        seeds = _BETWEEN_NAMES.join(seed.name for seed in self.seeds)
        return BatchRecord(
            self.slot.number, self.slot.strategy, seeds, tally.mutants, tally.seconds, ending, tally.plain()
        )


def packed(batch: Batch) -> tuple[bytes, dict[str, bytes]]:
    """A batch in bytes, and separately the content it shares with other batches: seeds and operators."""
    attachments: dict[str, bytes] = {}

    def attach(text: str) -> str:
        content = text.encode(errors="surrogatepass")
        attachments[digest := content_digest(content)] = content
        return digest

    bare = msgspec.structs.replace(
        batch,
        seeds=tuple(msgspec.structs.replace(seed, text=attach(seed.text)) for seed in batch.seeds),
        plan=_with_operators(batch.plan, attach),
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
        plan=_with_operators(bare.plan, text),
    )


def _with_operators(plan: FuzzPlan, change: Callable[[str], str]) -> FuzzPlan:
    return msgspec.structs.replace(plan, operators=change(plan.operators)) if plan.operators else plan


def lost(batch: Batch, why: str, ending: str = LOST) -> BatchOutcome:
    """The outcome of a batch that did not come back."""
    return BatchOutcome(batch.record(FuzzTally(faults=1), ending), faults=(FaultRecord(SEED_PLACE, why),))


def seed_names(seeds: str) -> list[str]:
    """The names of the seeds in the record of a batch."""
    return seeds.split(_BETWEEN_NAMES)
