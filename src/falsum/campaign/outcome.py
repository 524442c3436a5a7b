"""BatchOutcome: the result of a batch, of scripts or of library runs; plain data, as a worker sends it."""

from __future__ import annotations

from typing import Final

import msgspec

from falsum.store.records import BatchRecord, FaultRecord, FindingRecord, SeedRecord, Sighting

# Where a finding, a fault or a novelty is that is about the seed itself.
SEED_PLACE: Final = -1
# How a batch ended.
DONE: Final = "done"
STOPPED: Final = "stopped"
LOST: Final = "lost"  # with its worker, at a limit of ours
KILLED: Final = "killed"  # with its worker, time and again, and not at a limit
FAILED: Final = "failed"  # what it needs is not there, or a fault of ours


class Novelty(msgspec.Struct, frozen=True):
    """A mutant that made solvers behave as the worker had not seen before.

    `buckets` are what was new, of statistics; `edges` are new edges of instrumented solvers, packed.
    """

    place: int
    text: str
    buckets: tuple[str, ...] = ()
    edges: dict[str, bytes] = {}

    @property
    def size(self) -> int:
        """How much was new."""
        return len(self.buckets) + sum(map(len, self.edges.values()))


class BatchOutcome(msgspec.Struct, frozen=True):
    """`record` has the tally; `timeouts` are traces of library runs that timed out, by their run number.

    `gone` are solvers that can no longer be asked, each with the reason; `watched` are the edges that it was
    asked about and has reached.
    """

    record: BatchRecord
    findings: tuple[FindingRecord, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    faults: tuple[FaultRecord, ...] = ()
    seeds: tuple[SeedRecord, ...] = ()
    timeouts: dict[str, str] = {}
    novelties: tuple[Novelty, ...] = ()
    watched: dict[str, bytes] = {}
    gone: dict[str, str] = {}
