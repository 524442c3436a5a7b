"""StoreReader: reads a store, while another process may write it."""

from __future__ import annotations

import json
import sqlite3  # noqa: TID251 - this is the room for it
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import msgspec

from falsum.errors import SurroundingsError, UsageError
from falsum.store import schema, totals
from falsum.store.names import FINDINGS, expect_no_link, is_folder_name
from falsum.store.records import (
    Activity,
    ArmRecord,
    BatchRecord,
    CampaignRecord,
    ListedFinding,
    MeasureRecord,
    RareEdge,
    SeedRecord,
    StoreContents,
    StoredSighting,
    StrategyTotal,
    TakenSeed,
    TimeSlot,
    YieldRecord,
)

_LIST_QUERY = """
select digest, signature, kind, suspects,
       (select count(*) from sightings where sightings.signature = findings.signature),
       first_seen, last_seen, folder, evidence
from findings
"""
_MAX_VARIABLES = 500
_SHOWN = 5


class StoreReader:
    """Any number of processes may read a store at once."""

    def __init__(self, folder: Path, database: sqlite3.Connection | None = None) -> None:
        self.folder = folder
        self._database = database or schema.open_to_read(folder)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        """Close the database; errors of a damaged one are raised as SurroundingsError."""
        self.close()
        if isinstance(error, (sqlite3.Error, json.JSONDecodeError)):
            raise schema.surroundings_error(f"{self.folder}: the store is damaged", error) from error

    def campaign(self, number: int | None = None) -> CampaignRecord | None:
        """The campaign with this number, or the last one that ran here; campaigns from elsewhere have
        numbers below zero.
        """
        where = "where id = ?" if number is not None else "where id > 0 order by id desc limit 1"
        row = self._database.execute(
            f"select id, started, elapsed, plan, ended from campaigns {where}",  # noqa: S608 - no input in it
            () if number is None else (number,),
        ).fetchone()
        return None if row is None else _campaign(row)

    def campaigns(self) -> list[CampaignRecord]:
        """The campaigns that ran here, the oldest first."""
        rows = self._database.execute(
            "select id, started, elapsed, plan, ended from campaigns where id > 0 order by id"
        )
        return [_campaign(row) for row in rows]

    def timeline(self, campaign: CampaignRecord) -> list[TimeSlot]:
        """The progress of a campaign over time, the oldest slot first; a bounded number of slots."""
        return totals.timeline(self._database, campaign)

    def strategy_totals(self, campaign: CampaignRecord) -> list[StrategyTotal]:
        """What a campaign did with each strategy, or with each library."""
        return totals.strategy_totals(self._database, campaign)

    def arms(self, campaign: int, count: int) -> tuple[int, list[ArmRecord]]:
        """The arms of a learning campaign with the most time, and the number of all."""
        (total,) = self._database.execute(
            "select count(*) from arms where campaign = ?", (campaign,)
        ).fetchone()
        rows = self._database.execute(
            "select strategy, logic, configuration, batches, gain, cost from arms where campaign = ? "
            "order by cost desc limit ?",
            (campaign, count),
        )
        return int(total), [ArmRecord(*row) for row in rows]

    def rarest_edges(self, campaign: int, count: int) -> list[RareEdge]:
        """The edges of instrumented solvers that the fewest batches reached, of those that made a mutant a
        seed.
        """
        seeds: dict[tuple[str, int], str] = {}
        batches: Counter[tuple[str, int]] = Counter()
        for record in self.yields(campaign):
            batches.update((s, edge) for s, edges in record.watched.items() for edge in _numbers(edges))
            for digest, first in record.grown_edges.items():
                for solver, edges in first.items():
                    for edge in _numbers(edges):
                        seeds.setdefault((solver, edge), record.grown[digest][0])
        # The batch that made the seed reached it, too.
        rows = sorted((batches[key] + 1, *key, seed) for key, seed in seeds.items())
        return [RareEdge(solver, edge, number, seed) for number, solver, edge, seed in rows[:count]]

    def activity(self, campaign: int) -> Activity | None:
        """The workers of a running campaign; None if it has ended, or if that is unknown."""
        row = self._database.execute(
            "select jobs, at from running where campaign = ?", (campaign,)
        ).fetchone()
        return None if row is None else Activity(*row)

    def contents(self) -> StoreContents:
        """All that another store can take over."""
        campaigns = self._database.execute(
            "select id, started, elapsed, plan, ended from campaigns order by id"
        )
        sightings = self._database.execute(
            "select signature, campaign, batch, place from sightings order by 1, 2, 3, 4"
        )
        return StoreContents(
            tuple(map(_campaign, campaigns)),
            tuple(self.findings()),
            tuple(StoredSighting(*row) for row in sightings),
            tuple(self.all_seeds()),
        )

    def batches_done(self, campaign: int) -> set[int]:
        rows = self._database.execute("select number from batches where campaign = ?", (campaign,))
        return {number for (number,) in rows}

    def batches(self, campaign: int) -> list[BatchRecord]:
        rows = self._database.execute(
            "select number, strategy, seed, made, seconds, ending, tally from batches where campaign = ? "
            "order by number",
            (campaign,),
        )
        return [
            BatchRecord(number, strategy, seed, made, seconds, ending, json.loads(tally))
            for number, strategy, seed, made, seconds, ending, tally in rows
        ]

    def seeds(self, digests: Iterable[str]) -> dict[str, SeedRecord]:
        """The records of these seeds."""
        wanted_digests = list(digests)
        seeds_: dict[str, SeedRecord] = {}
        for start in range(0, len(wanted_digests), _MAX_VARIABLES):
            some = wanted_digests[start : start + _MAX_VARIABLES]
            marks = ",".join("?" * len(some))
            measures: dict[str, list[MeasureRecord]] = {}
            for digest, solver, seconds, verdicts, ending in self._database.execute(
                f"select * from measures where digest in ({marks})",  # noqa: S608 - question marks only
                some,
            ):
                measure = MeasureRecord(solver, seconds, tuple(verdicts.split()), ending)
                measures.setdefault(digest, []).append(measure)
            memories = self._memories(some, marks)
            for digest, name, filtered in self._database.execute(
                f"select digest, name, filtered from seeds where digest in ({marks})",  # noqa: S608
                some,
            ):
                measured, memory = tuple(measures.get(digest, ())), memories.get(digest, {})
                seeds_[digest] = SeedRecord(digest, name, filtered, measured, memory)
        return seeds_

    def taken_seeds(self, campaign: int) -> list[TakenSeed]:
        """The seeds of a campaign in their order; none if their texts are not in the store."""
        rows = self._database.execute(
            "select digest, name, logic from taken_seeds where campaign = ? order by place",
            (campaign,),
        )
        return [TakenSeed(*row) for row in rows]

    def seed_text(self, digest: str) -> str:
        """The text of a seed that a campaign has taken."""
        row = self._database.execute("select text from seed_texts where digest = ?", (digest,)).fetchone()
        try:
            return zlib.decompress(row[0]).decode()
        except (TypeError, zlib.error, UnicodeDecodeError) as error:
            raise SurroundingsError(f"{self.folder}: the store is damaged: no seed {digest}") from error

    def _memories(self, digests: list[str], marks: str) -> dict[str, dict[str, str]]:
        memories: dict[str, dict[str, str]] = {}
        for digest, strategy, memory in self._database.execute(
            f"select digest, strategy, memory from memories where digest in ({marks})",  # noqa: S608
            digests,
        ):
            memories.setdefault(digest, {})[strategy] = memory
        return memories

    def all_seeds(self) -> list[SeedRecord]:
        """Every seed of the campaigns here, by name."""
        digests = [digest for (digest,) in self._database.execute("select digest from seeds order by name")]
        return list(self.seeds(digests).values())

    def findings(self) -> list[ListedFinding]:
        """All findings, the oldest first."""
        rows = self._database.execute(f"{_LIST_QUERY} order by first_seen, digest")
        return [self._listed(row) for row in rows]

    def findings_since(self, moment: float) -> list[ListedFinding]:
        """The findings seen at this moment or later, the one seen first at the beginning."""
        rows = self._database.execute(f"{_LIST_QUERY} where last_seen >= ? order by last_seen", (moment,))
        return [self._listed(row) for row in rows]

    def seeds_page(
        self, search: str, first: int, count: int, *, only_left_out: bool
    ) -> tuple[int, list[SeedRecord]]:
        """A page of the seeds whose names contain a text, by name, and the number of all of them."""
        where = "where instr(lower(name), lower(?)) > 0" + (" and filtered <> ''" if only_left_out else "")
        (total,) = self._database.execute(f"select count(*) from seeds {where}", (search,)).fetchone()  # noqa: S608
        rows = self._database.execute(
            f"select digest from seeds {where} order by name limit ? offset ?", (search, count, first)  # noqa: S608
        )  # fmt: skip
        digests = [digest for (digest,) in rows]
        seeds_ = self.seeds(digests)
        return int(total), [seeds_[digest] for digest in digests if digest in seeds_]

    def kinds(self, campaign: int) -> dict[str, int]:
        """The number of findings of each kind that a campaign has seen."""
        rows = self._database.execute(
            "select kind, count(*) from findings where signature in "
            "(select signature from sightings where campaign = ?) group by kind order by kind",
            (campaign,),
        )
        return dict(rows.fetchall())

    def sightings(self, campaign: int) -> list[tuple[int, int, str]]:
        """Batch, place and signature of every sighting of a campaign."""
        rows = self._database.execute(
            "select batch, place, signature from sightings where campaign = ? order by 1, 2, 3",
            (campaign,),
        )
        return [(int(batch), int(place), str(signature)) for batch, place, signature in rows]

    def yields(self, campaign: int) -> list[YieldRecord]:
        """The yields of a campaign's batches, in the order of recording."""
        rows = self._database.execute("select record from yields where campaign = ? order by id", (campaign,))
        return [msgspec.json.decode(record, type=YieldRecord) for (record,) in rows]

    def _listed(self, row: tuple[Any, ...]) -> ListedFinding:
        """A finding of the list; raises SurroundingsError if its folder is not one of this store."""
        digest, signature, kind, suspects, count, first, last, folder, evidence = row
        if not is_folder_name(folder):
            raise SurroundingsError(f"{self.folder}: {folder!r} is not the name of a finding's folder")
        expect_no_link(self.folder / FINDINGS / folder)
        return ListedFinding(
            digest, signature, kind, tuple(json.loads(suspects)), count, first, last, folder, evidence
        )

    def finding(self, name: str) -> ListedFinding:
        """The finding whose digest or folder begins with a name; raises UsageError unless there is
        exactly one.
        """
        matching = [
            one for one in self.findings() if one.digest.startswith(name) or one.folder.startswith(name)
        ]
        if len(matching) != 1:
            several = ", ".join(one.digest for one in matching[:_SHOWN])
            several += f" and {len(matching) - _SHOWN} more" if len(matching) > _SHOWN else ""
            raise UsageError(f"{name!r} is ambiguous: {several}" if matching else f"no finding {name!r}")
        return matching[0]

    def finding_count(self) -> int:
        (count,) = self._database.execute("select count(*) from findings").fetchone()
        return int(count)

    def fault_count(self, campaign: int) -> int:
        """How many errors in falsum itself a campaign had."""
        row = self._database.execute("select count(*) from faults where campaign = ?", (campaign,)).fetchone()
        return int(row[0])

    def faults(self, campaign: int | None = None) -> list[tuple[int, int, str]]:
        """Batch, place and text of errors in falsum itself."""
        where = "" if campaign is None else "where campaign = ?"
        rows = self._database.execute(
            f"select batch, place, text from faults {where} order by id",  # noqa: S608 - no input in it
            () if campaign is None else (campaign,),
        )
        return [(batch, place, text) for batch, place, text in rows]


def _campaign(row: tuple[Any, ...]) -> CampaignRecord:
    number, started, elapsed, plan, ended = row
    return CampaignRecord(number, started, elapsed, json.loads(plan), ended)


def _numbers(packed: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(packed)
    return numbers
