"""Totals: running sums over the batches of a campaign, by time and by strategy; readers need not add up all.

The time of a campaign is cut into slots of equal width. When there are too many, neighbours are merged and
the width doubles: a campaign of any length has a bounded number of rows.
"""

from __future__ import annotations

import json
import sqlite3  # noqa: TID251 - this is the room for it
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from falsum.store.records import BatchRecord, CampaignRecord, StrategyTotal, TimeSlot

MAX_SLOTS: Final = 240
_FIRST_WIDTH: Final = 1.0
# Fields of tallies that count messages of solvers, or answers by drawn options: there may be many, and
# no plot shows them.
_MESSAGES: Final = frozenset({"rejections", "errors", "variants", "uses"})
# Fields of tallies that number something.
_NUMBERS: Final = frozenset({"first"})
_LOST: Final = ("lost", "killed")


def tally_sum(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The sum of two tallies: numbers, or dictionaries of them."""
    total = dict(one)
    for key, value in other.items():
        if key not in total:
            total[key] = value
        elif isinstance(value, dict):
            total[key] = tally_sum(total[key], value)
        else:
            total[key] = total[key] + value
    return total


class _Sums(msgspec.Struct):
    """The sums for a slot or a strategy."""

    batches: int = 0
    made: int = 0
    lost: int = 0
    found: int = 0
    sightings: int = 0
    seconds: float = 0.0
    tally: dict[str, Any] = {}

    def add(self, other: _Sums) -> None:
        self.batches += other.batches
        self.made += other.made
        self.lost += other.lost
        self.found += other.found
        self.sightings += other.sightings
        self.seconds += other.seconds
        self.tally = tally_sum(self.tally, other.tally)

    @property
    def row(self) -> tuple[int, int, int, int, int, float, str]:
        return (self.batches, self.made, self.lost, self.found, self.sightings, self.seconds,
                json.dumps(self.tally))  # fmt: skip


def _sums(batch: BatchRecord, found: int = 0, sightings: int = 0) -> _Sums:
    tally = {key: value for key, value in batch.tally.items() if key not in _NUMBERS}
    is_lost = int(batch.ending in _LOST)
    return _Sums(1, batch.made, is_lost, found, sightings, batch.seconds, tally)


def _for_slot(sums: _Sums) -> _Sums:
    tally = {key: value for key, value in sums.tally.items() if key not in _MESSAGES}
    return msgspec.structs.replace(sums, tally=tally)


_SUM_COLUMNS: Final = "batches, made, lost, found, sightings, seconds, tally"


def _read(row: tuple[Any, ...]) -> _Sums:
    batches, made, lost, found, sightings, seconds, tally = row
    return _Sums(batches, made, lost, found, sightings, seconds, json.loads(tally))


def add_batch(
    database: sqlite3.Connection,
    campaign: int,
    batch: BatchRecord,
    elapsed: float,
    findings: int,
    sightings: int,
) -> None:
    """Add a batch that is recorded for the first time, in the transaction of the caller."""
    _add(database, campaign, batch.strategy_or_library, elapsed, _sums(batch, findings, sightings))


def add_edges(
    database: sqlite3.Connection, campaign: int, name: str, configuration: str, elapsed: float, edges: int
) -> None:
    """Add the edges that a batch of a strategy, or of a library, was the first to reach."""
    _add(database, campaign, name, elapsed, _Sums(tally={"edges": {configuration: edges}}))


def _add(database: sqlite3.Connection, campaign: int, name: str, elapsed: float, sums: _Sums) -> None:
    key = (campaign, name)
    row = database.execute(
        f"select {_SUM_COLUMNS} from strategy_totals where campaign = ? and name = ?", key  # noqa: S608
    ).fetchone()  # fmt: skip
    total = _Sums() if row is None else _read(row)
    total.add(sums)
    database.execute(
        "insert or replace into strategy_totals values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (campaign, name, *total.row),
    )
    width = _width_for(database, campaign, elapsed)
    number = int(elapsed / width)
    row = database.execute(
        f"select {_SUM_COLUMNS} from timeline where campaign = ? and slot = ?", (campaign, number)  # noqa: S608
    ).fetchone()  # fmt: skip
    slot = _Sums() if row is None else _read(row)
    slot.add(_for_slot(sums))
    _put_slot(database, campaign, number, width, slot)


def _put_slot(database: sqlite3.Connection, campaign: int, number: int, width: float, sums: _Sums) -> None:
    database.execute(
        "insert or replace into timeline values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (campaign, number, width, *sums.row),
    )


def _width_for(database: sqlite3.Connection, campaign: int, elapsed: float) -> float:
    """The width of the slots of a campaign, doubled until `elapsed` is in one of them."""
    row = database.execute("select width from timeline where campaign = ? limit 1", (campaign,)).fetchone()
    now = width = _FIRST_WIDTH if row is None else float(row[0])
    while elapsed >= width * MAX_SLOTS:
        width *= 2
    if width != now and row is not None:
        slots: dict[int, _Sums] = {}
        rows = database.execute(
            f"select slot, {_SUM_COLUMNS} from timeline where campaign = ?", (campaign,)  # noqa: S608
        ).fetchall()  # fmt: skip
        for number, *sums in rows:
            slots.setdefault(int(number * now / width), _Sums()).add(_read(tuple(sums)))
        database.execute("delete from timeline where campaign = ?", (campaign,))
        for number, merged in slots.items():
            _put_slot(database, campaign, number, width, merged)
    return width


def timeline(database: sqlite3.Connection, campaign: CampaignRecord) -> list[TimeSlot]:
    """The non-empty slots of a campaign, the oldest first."""
    rows = database.execute(
        f"select slot, width, {_SUM_COLUMNS} from timeline where campaign = ? order by slot",  # noqa: S608
        (campaign.id,),
    )
    return [_slot(number, width, _read(tuple(sums))) for number, width, *sums in rows]


def strategy_totals(database: sqlite3.Connection, campaign: CampaignRecord) -> list[StrategyTotal]:
    """The sums of each strategy of a campaign, or of each library, by name."""
    rows = database.execute(
        f"select name, {_SUM_COLUMNS} from strategy_totals where campaign = ? order by name", (campaign.id,)  # noqa: S608
    )  # fmt: skip
    return [_strategy(name, _read(tuple(sums))) for name, *sums in rows]


def _slot(number: int, width: float, sums: _Sums) -> TimeSlot:
    return TimeSlot(start=number * width, width=width, **msgspec.structs.asdict(sums))


def _strategy(name: str, sums: _Sums) -> StrategyTotal:
    return StrategyTotal(name=name, **msgspec.structs.asdict(sums))
