"""FuzzSearch: the schedule of a campaign, the yields of its batches, and the seeds it has added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from falsum.campaign.corpus.seed_files import SeedFile, digest_of
from falsum.campaign.guides import COVERAGE, STATISTICS
from falsum.campaign.outcome import SEED_PLACE, BatchOutcome, Novelty
from falsum.campaign.search.even import EvenSchedule
from falsum.campaign.search.expectations import expected_of
from falsum.campaign.search.focus import Focus
from falsum.campaign.search.learn import Arm, LearnSchedule
from falsum.campaign.search.reached import ReachedEdges, joined
from falsum.campaign.search.schedule import EVEN, FINDING_GAIN, Schedule, Slot, Yield
from falsum.campaign.tally import FuzzTally
from falsum.defects.identity.signature import message_or_theories
from falsum.plural import counted
from falsum.solvers.instruments.edges import unpacked
from falsum.store.records import FindingRecord, ListedFinding, YieldRecord
from falsum.store.store import Store

# What a known finding seen once more costs, in CPU seconds, besides the time it took; so does a new one after
# so many of its kind: one easy crash must not fill a campaign.
_SIGHTING_SECONDS: Final = 1.0
_MANY_FINDINGS: Final = 3
# Answers that are late or missing count less than wrong ones and crashes.
_LESSER: Final = {"incompleteness": 0.2, "slow": 0.2}
# A mutant with new edges in focus counts as so many with other new behaviour, besides itself.
_FOCUS_GAIN: Final = 4.0
# Mutants that may become seeds: of one batch, and at a time.
_GROWN_PER_BATCH: Final = 2
_MAX_GROWN: Final = 256
_MUTANT: Final = "mutant "


@dataclass(frozen=True, slots=True)
class ArmRow:
    """What the batches of an arm have brought so far."""

    arm: Arm
    batches: int
    cpu: float
    gain: float

    @property
    def rate(self) -> float:
        return self.gain / self.cpu if self.cpu else 0.0

    def line(self) -> str:
        """The row as one line of the summary."""
        strategy, logic, configuration = self.arm
        name = " × ".join(filter(None, (strategy, logic or "no logic", configuration)))
        batches = counted(self.batches, "batch", "batches")
        return f"{name}: {batches}, {self.cpu:.1f} s CPU, {self.rate:.2f} new per second"

    def plain(self) -> dict[str, Any]:
        return self.arm._asdict() | {
            "batches": self.batches,
            "cpu": round(self.cpu, 3),
            "gain": round(self.gain, 3),
        }


class FuzzSearch:
    """Chooses the batches of a campaign; all it learns is in the store, so that a campaign can be resumed.

    `seeds` are those of the plan, and mutants that showed new behaviour after them.
    """

    def __init__(
        self,
        store: Store,
        number: int,
        seeds: Sequence[SeedFile],
        arities: Mapping[str, int],
        configurations: Sequence[str] = (),
        *,
        rng: int,
        schedule: str,
        guide: str = STATISTICS,
        focus: Focus | None = None,
    ) -> None:
        self._store = store
        self._number = number
        self._learned: LearnSchedule | None = None
        self.seeds = list(seeds)
        arguments = (
            [seed.logic for seed in seeds],
            arities,
            rng,
            store.batches_done(number),
            configurations,
        )
        self._is_covering = guide == COVERAGE
        self.reached = ReachedEdges(focus)
        self._schedule: Schedule
        if schedule == EVEN:
            self._schedule = EvenSchedule(*arguments)
        else:
            self._schedule = self._learned = LearnSchedule(
                *arguments,
                expected=expected_of(arities),
                mixes=self._is_covering,
            )
        self._places: dict[str, list[int]] = {}
        for place, seed in enumerate(seeds):
            self._places.setdefault(seed.digest, []).append(place)
        # Places of grown seeds in use.
        self._grown: list[int] = []
        self._buckets: set[str] = set()
        self._signatures: set[str] = set()
        self._kinds: Counter[tuple[str, ...]] = Counter()
        for finding in store.findings():
            self._signatures.add(finding.signature)
            self._kinds[_kind(finding)] += 1
        for record in store.yields(number):
            self._apply(record)

    @property
    def digests(self) -> Iterable[str]:
        return self._places

    @property
    def grown(self) -> int:
        """The number of mutants that have become seeds and are in use."""
        return len(self._grown)

    @property
    def arms(self) -> list[ArmRow]:
        """The arms, those with the most time first."""
        arms = self._learned.arms if self._learned is not None else {}
        rows = [ArmRow(arm, one.batches, one.total_cost, one.total_gain) for arm, one in arms.items()]
        return sorted(rows, key=lambda row: (-row.cpu, row.arm))

    def next(self) -> Slot | None:
        return self._schedule.next()

    def is_grown(self, digest: str) -> bool:
        return any(self.seeds[place].name.startswith(_MUTANT) for place in self._places.get(digest, ()))

    def drop(self, configuration: str) -> None:
        self._schedule.drop(configuration)

    def leave_out(self, digest: str) -> None:
        for place in self._places.get(digest, ()):
            self._schedule.leave_out(place)

    def exhaust(self, digest: str, strategy: str) -> None:
        for place in self._places.get(digest, ()):
            self._schedule.exhaust(place, strategy)

    def take(self, slot: Slot, outcome: BatchOutcome, tally: FuzzTally) -> None:
        """Learn from a batch and store its yield; nothing changes if it cannot be stored."""
        cost = tally.solver_cpu + tally.own_cpu
        new = list(self._new(outcome.novelties))
        if self._learned is None:
            self.reached.add(joined(one.edges for one in new))
            self._schedule.learn(slot, Yield(0.0, cost, mostly_timeouts=tally.mostly_timeouts))
            return
        news = [one for one in new if one.place != SEED_PLACE and (one.buckets or self._is_covering)]
        # What is made from a mutant that shows a bug most often shows it, too.
        wrong = {one.place for one in outcome.findings} | {one.place for one in outcome.sightings}
        offspring = self._to_grow(slot, [one for one in news if one.place not in wrong])
        findings = {one.signature: one for one in outcome.findings if one.signature not in self._signatures}
        kinds = Counter(map(_kind, findings.values()))
        weight = sum(self._weight(kind, count) for kind, count in kinds.items())
        new_edges = sum(self.reached.new_edges([one.edges for one in new]))
        in_focus = sum(self.reached.in_focus(one.edges) > 0 for one in news)
        record = YieldRecord(
            batch=slot.number,
            strategy=slot.strategy,
            configuration=slot.configuration,
            seeds=tuple(self.seeds[place].digest for place in slot.seeds),
            gain=len(news) + _FOCUS_GAIN * in_focus + FINDING_GAIN * weight,
            cost=cost,
            buckets=tuple(bucket for novelty in new for bucket in novelty.buckets),
            grown={digest: (self._name(slot, one.place), one.text) for digest, one in offspring.items()},
            logic=self.seeds[slot.seeds[0]].logic if slot.seeds else "",
            found=weight,
            wasted=_SIGHTING_SECONDS * (len(outcome.sightings) + self._too_many(kinds)),
            decided=tally.decided,
            is_spent=tally.is_spent,
            shown=len(outcome.findings) + len(outcome.sightings),
            edges=joined(one.edges for one in new),
            watched=self.reached.of_seeds(outcome.watched),
            new_edges=new_edges,
            focus=self.reached.focus.count({s: unpacked(edges) for s, edges in outcome.watched.items()}),
            grown_edges={digest: self.reached.first_of(one.edges) for digest, one in offspring.items()},
        )
        self._store.learn(self._number, record)
        self._signatures.update(findings)
        self._kinds.update(kinds)
        self._apply(record)

    def _name(self, slot: Slot, place: int) -> str:
        """The name of a grown seed."""
        origin = self.seeds[slot.seeds[0]].name.split(" of ", 1)[-1]
        return f"{_MUTANT}{slot.number}:{place} of {origin}"

    def _weight(self, kind: tuple[str, ...], count: int) -> float:
        """The weight of new findings: each further one of its kind counts half as much.

        Before reduction, signatures cannot tell whether it is the same bug again.
        """
        earlier = self._kinds[kind]
        each = _LESSER.get(kind[0], 1.0)
        return each * sum(0.5**number for number in range(earlier, earlier + count))

    def _too_many(self, kinds: Mapping[tuple[str, ...], int]) -> int:
        """How many of the new findings come after many of their kind."""
        return sum(
            max(0, min(count, self._kinds[kind] + count - _MANY_FINDINGS)) for kind, count in kinds.items()
        )

    def _new(self, novelties: Sequence[Novelty]) -> Iterator[Novelty]:
        """The novelties that are new to the whole campaign."""
        signatures: set[str] = set()
        lots = self.reached.new([one.edges for one in novelties])
        for novelty, edges in zip(novelties, lots, strict=True):
            buckets = [one for one in novelty.buckets if one not in self._buckets and one not in signatures]
            signatures.update(buckets)
            if buckets or edges:
                yield Novelty(novelty.place, novelty.text, tuple(buckets), edges)

    def _to_grow(self, slot: Slot, new: Sequence[Novelty]) -> dict[str, Novelty]:
        """The mutants with the most new behaviour, by digest."""
        if not slot.seeds:
            return {}
        best = sorted(
            (one for one in new if one.text),
            key=lambda one: (-self.reached.in_focus(one.edges), -one.size, one.place),
        )
        mutants = {digest_of(one.text): one for one in best[:_GROWN_PER_BATCH]}
        return {digest: one for digest, one in mutants.items() if digest not in self._places}

    def _apply(self, record: YieldRecord) -> None:
        """Learn from a record; the same records in the same order always have the same effect."""
        assert self._learned is not None
        places = [self._places[digest][0] for digest in record.seeds if digest in self._places]
        slot = Slot(record.batch, record.strategy, tuple(places), "", record.configuration)
        behaviour = record.gain - FINDING_GAIN * record.found
        result = Yield(
            behaviour,
            record.cost,
            record.found,
            record.wasted,
            record.shown,
            record.decided,
            is_spent=record.is_spent,
        )
        self._learned.learn(slot, result)
        self._buckets.update(record.buckets)
        self.reached.add(record.edges)
        self.reached.count_batch(record.watched)
        for digest, (name, text) in record.grown.items():
            logic = self.seeds[places[0]].logic
            place = self._learned.add(logic)
            self.seeds.append(SeedFile(name, digest, logic, bundled=text))
            self._places.setdefault(digest, []).append(place)
            self._grown.append(place)
            if self._is_covering:
                self.reached.add_seed(place, record.grown_edges.get(digest, {}))
        if record.focus and places:
            self.reached.add_focus(places[0], record.focus)
        if record.watched or record.grown_edges or record.focus:
            self._learned.energies = self.reached.energies()
        while len(self._grown) > _MAX_GROWN:
            self._let_go(min(self._grown[:-1], key=self._learned.rate))

    def _let_go(self, place: int) -> None:
        """Take a grown seed out of use, the text included."""
        self._schedule.leave_out(place)
        self._grown.remove(place)
        self.reached.let_go(place)
        seed = self.seeds[place]
        self.seeds[place] = SeedFile(seed.name, seed.digest, seed.logic)


def _kind(finding: FindingRecord | ListedFinding) -> tuple[str, ...]:
    """The kind of a finding: what is wrong with which solvers, in any configuration, in which theories."""
    suspects = sorted({suspect.partition(":")[0] for suspect in finding.suspects})
    return finding.kind, *suspects, message_or_theories(finding.signature)
