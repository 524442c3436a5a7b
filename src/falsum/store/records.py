"""Records: what is stored and sent between processes; plain data."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from falsum.defects.finding import Finding, digest_of
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind, Exchange

# The strategy of batches that are runs of a library.
LIBRARY_RUNS: Final = "api"


class ExchangeRecord(msgspec.Struct, frozen=True):
    """One answer: `command` is the command line without the file, `posed` the text in that file."""

    solver: str
    version: str
    command: tuple[str, ...]
    posed: str
    want: str
    cold: bool
    answer: dict[str, Any]
    stdout: str
    stderr: str


class TraceRecord(msgspec.Struct, frozen=True):
    """A finding in a library: the trace as it ran, minimised, and as a program.

    `library` is the folder of the library, `program` is empty if none could be written; `build` describes the
    build of a library that is not from the index.
    """

    solver: str
    version: str
    library: str
    whole: str
    small: str
    program: str = ""
    build: str = ""


class FindingRecord(msgspec.Struct, frozen=True):
    """A finding as it is stored; `batch` and `place` identify the mutant that showed it.

    `history` is for leaks: the scripts that the same process ran, with the finding's script last. A finding
    in a library has a `trace`; its script is a translation, or empty. `references` are the solvers that were
    run for comparison and are not under test; `draw` is the case's.
    """

    kind: str
    seemed: str
    suspects: tuple[str, ...]
    signature: str
    evidence: str
    strategy: str
    rng: str
    batch: int
    place: int
    want: str
    script: str
    seeds: tuple[tuple[str, str], ...]
    lineage: tuple[str, ...]
    claim: tuple[str | None, ...] | None
    witness: str
    reference: str | None
    exchanges: tuple[ExchangeRecord, ...]
    history: tuple[str, ...] = ()
    trace: TraceRecord | None = None
    references: tuple[str, ...] = ()
    draw: int | None = None

    @property
    def digest(self) -> str:
        return digest_of(self.signature)


class Sighting(msgspec.Struct, frozen=True):
    """A known finding seen again, at a mutant of a batch."""

    signature: str
    place: int


class TakenSeed(msgspec.Struct, frozen=True):
    """A seed of a campaign, whose text is in the store."""

    digest: str
    name: str
    logic: str


class SeedRecord(msgspec.Struct, frozen=True):
    """The record of a seed; `filtered` is the reason why it is left out, or "".

    `memory` has the notes of strategies for their next visit, by the name of the strategy.
    """

    digest: str
    name: str
    filtered: str = ""
    measures: tuple[MeasureRecord, ...] = ()
    memory: dict[str, str] = {}


class MeasureRecord(msgspec.Struct, frozen=True):
    """How a solver did on a seed."""

    solver: str
    seconds: float
    verdicts: tuple[str, ...]
    ending: str


class FaultRecord(msgspec.Struct, frozen=True):
    """An error in falsum itself."""

    place: int
    text: str


class BatchRecord(msgspec.Struct, frozen=True):
    """A batch that was run; `ending` is done, stopped (early), failed or lost."""

    number: int
    strategy: str
    seed: str
    made: int
    seconds: float
    ending: str
    tally: dict[str, Any]

    @property
    def strategy_or_library(self) -> str:
        """The key by which batches are summed up: the strategy, or the library of runs."""
        return self.seed if self.strategy == LIBRARY_RUNS else self.strategy


class BatchSums(msgspec.Struct, frozen=True, kw_only=True):
    """The sums of some batches.

    `found` counts findings that are new to this store, `sightings` all, `seconds` is the time of workers.
    """

    batches: int
    made: int
    lost: int
    found: int
    sightings: int
    seconds: float
    tally: dict[str, Any]


class TimeSlot(BatchSums, frozen=True, kw_only=True):
    """The batches that ended in a slot of a campaign's time; `start` and `width` are seconds.

    Messages are not in the tally.
    """

    start: float
    width: float


class StrategyTotal(BatchSums, frozen=True, kw_only=True):
    """The batches of one strategy of a campaign, or the runs of one library."""

    name: str


class Activity(msgspec.Struct, frozen=True):
    """A running campaign: its workers, and when it last wrote."""

    jobs: int
    at: float = 0.0


class YieldRecord(msgspec.Struct, frozen=True):
    """The yield of a batch: its arm, and what a scheduler learns from it.

    `seeds` are digests. `buckets` are kinds of behaviour that no batch had shown before; `grown` are mutants
    that showed some and are seeds from now on, by digest: name and text. `logic` is that of the first seed.
    `found` is the part of new findings in the gain, `wasted` is what known ones add to the cost, `shown` the
    number of both, `decided` that of mutants that a solver has decided; `is_spent` says that there were
    hardly any others. `edges` are those of instrumented solvers that no batch had reached before, packed,
    those of its seeds included; `watched` are edges that it reached and some grown seed has reached first,
    `grown_edges` some of those that mutants in `grown` have reached first, by digest; `focus` is the number
    of edges in focus that it reached. Of runs of a library, `gains` are those with new edges, by what they
    use. `new_edges` is the number of edges that no batch had reached, in any number.
    """

    batch: int
    strategy: str
    configuration: str
    seeds: tuple[str, ...]
    gain: float
    cost: float
    buckets: tuple[str, ...] = ()
    grown: dict[str, tuple[str, str]] = {}
    logic: str = ""
    found: float = 0.0
    wasted: float = 0.0
    decided: int = 0
    is_spent: bool = False
    shown: int = 0
    edges: dict[str, bytes] = {}
    watched: dict[str, bytes] = {}
    grown_edges: dict[str, dict[str, bytes]] = {}
    focus: int = 0
    gains: dict[str, int] = {}
    new_edges: int = 0


class ArmRecord(msgspec.Struct, frozen=True):
    """The sums of all batches of an arm; `cost` is CPU time in seconds."""

    strategy: str
    logic: str
    configuration: str
    batches: int
    gain: float
    cost: float

    @property
    def rate(self) -> float:
        return self.gain / self.cost if self.cost else 0.0


class RareEdge(msgspec.Struct, frozen=True):
    """An edge of an instrumented solver, the number of batches that reached it, and the seed that was the
    first to reach it.
    """

    solver: str
    edge: int
    batches: int
    seed: str


class CampaignRecord(msgspec.Struct, frozen=True):
    """A campaign; `plan` determines its batches."""

    id: int
    started: float
    elapsed: float
    plan: dict[str, Any]
    ended: str


class ListedFinding(msgspec.Struct, frozen=True):
    """A line in the list of findings."""

    digest: str
    signature: str
    kind: str
    suspects: tuple[str, ...]
    count: int
    first_seen: float
    last_seen: float
    folder: str
    evidence: str


class StoredSighting(msgspec.Struct, frozen=True):
    """A finding seen at a mutant of a batch of a campaign."""

    signature: str
    campaign: int
    batch: int
    place: int


class StoreContents(msgspec.Struct, frozen=True):
    """The contents of a store for another machine, besides the folders of its findings.

    Batches stay behind: they can be run again only where their campaign is.
    """

    campaigns: tuple[CampaignRecord, ...]
    findings: tuple[ListedFinding, ...]
    sightings: tuple[StoredSighting, ...]
    seeds: tuple[SeedRecord, ...]


def record_of(
    finding: Finding, strategy: str, rng: str, batch: int, place: int, trace: TraceRecord | None = None
) -> FindingRecord:
    """The record of a finding; one in a library has a trace."""
    mutant = finding.case.mutant
    return FindingRecord(
        kind=finding.kind,
        seemed=finding.seemed,
        suspects=finding.suspects,
        signature=finding.signature,
        evidence=finding.evidence,
        strategy=strategy,
        rng=rng,
        batch=batch,
        place=place,
        want=str(finding.case.want),
        script=mutant.text,
        seeds=tuple((seed.name, seed.text) for seed in finding.case.seeds),
        lineage=mutant.lineage,
        claim=tuple(v and str(v) for v in mutant.claim.verdicts) if mutant.claim else None,
        witness=mutant.claim.witness if mutant.claim else "",
        reference=mutant.reference,
        exchanges=tuple(map(_exchange, finding.exchanges)),
        trace=trace,
        draw=finding.case.draw,
    )


def _exchange(exchange: Exchange) -> ExchangeRecord:
    return ExchangeRecord(
        solver=exchange.request.solver,
        version=exchange.version,
        command=exchange.command,
        posed=exchange.posed or exchange.request.script,
        want=str(exchange.request.want),
        cold=exchange.request.cold,
        answer=exchange.answer.plain(),
        stdout=exchange.answer.stdout,
        stderr=exchange.answer.stderr,
    )


def answer_of(exchange: ExchangeRecord) -> Answer:
    """The stored answer of an exchange.

    A store may come from anywhere: unknown words count as no answer.
    """
    stored = exchange.answer
    kinds, causes = {str(each): each for each in EndingKind}, {str(each): each for each in Cause}
    verdicts = {str(each): each for each in Verdict}
    ending = kinds.get(stored["ending"], EndingKind.ODD)
    return Answer(
        tuple(verdicts.get(word, Verdict.MISSING) for word in stored["verdicts"]),
        Ending(ending, causes.get(stored["cause"], Cause.NONE), stored["detail"]),
        stored.get("model"),
        stored.get("core"),
        exchange.stdout,
        exchange.stderr,
        stored.get("seconds", 0.0),
        stored.get("cpu", 0.0),
    )
