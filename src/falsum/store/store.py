"""Store: writes what a campaign finds; one writer at a time, every batch in one transaction."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3  # noqa: TID251 - this is the room for it
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from falsum.errors import SurroundingsError
from falsum.store import atomic, finding_folder, names, schema, totals
from falsum.store.reader import StoreReader
from falsum.store.records import (
    Activity,
    BatchRecord,
    CampaignRecord,
    FaultRecord,
    FindingRecord,
    SeedRecord,
    Sighting,
    StoreContents,
    TakenSeed,
    YieldRecord,
)

FINDINGS = names.FINDINGS
TIMEOUTS = "timeouts"
# Campaigns are numbered from 1.
_NO_CAMPAIGN = 0
_FAST = 1  # of zlib


class Store(StoreReader):
    """Reads and writes; holds a lock that ends with its process."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, schema.open_to_write(folder))
        self._lock = _locked(folder)
        atomic.remove_scratch(folder / FINDINGS)

    def close(self) -> None:
        super().close()
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def begin(self, plan: dict[str, Any]) -> int:
        """Begin a new campaign; return its number."""
        with self._transaction() as database:
            cursor = database.execute(
                "insert into campaigns (started, plan) values (?, ?)", (time.time(), json.dumps(plan))
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def take_seeds(self, campaign: int, seeds: Iterable[tuple[TakenSeed, str]]) -> None:
        """Store the seeds of a campaign with their texts, because their files may change or go."""
        with self._transaction() as database:
            for place, (seed, text) in enumerate(seeds):
                database.execute(
                    "insert or replace into taken_seeds values (?, ?, ?, ?, ?)",
                    (campaign, place, seed.digest, seed.name, seed.logic),
                )
                database.execute(
                    "insert or ignore into seed_texts values (?, ?)",
                    (seed.digest, zlib.compress(text.encode(), _FAST)),
                )

    def record(
        self,
        campaign: int,
        batch: BatchRecord,
        *,
        seeds: Iterable[SeedRecord] = (),
        findings: Iterable[FindingRecord] = (),
        sightings: Iterable[Sighting] = (),
        faults: Iterable[FaultRecord] = (),
        timeouts: Mapping[str, str] | None = None,
        elapsed: float | None = None,
        activity: Activity | None = None,
    ) -> list[str]:
        """Record all of a batch or nothing; return the new signatures. Recording it twice changes nothing.

        Files come first: a folder without a row belongs to a batch that is not recorded, and will be run
        again. `timeouts` are the traces of library runs that timed out, by run.
        """
        for run, trace in (timeouts or {}).items():
            self._keep_timeout(batch.seed, run, trace)
        records = list(findings)
        folders = [finding_folder.write(self.folder / FINDINGS, record) for record in records]
        known_sightings = list(sightings)
        new = []
        with self._transaction() as database:
            is_repeated = self._put_batch(campaign, batch)
            for seed in seeds:
                self._put_seed(seed)
            for record, folder in zip(records, folders, strict=True):
                if self._put_finding(record, folder):
                    new.append(record.signature)
                self._put_sighting(campaign, batch.number, Sighting(record.signature, record.place))
            for sighting in known_sightings:
                self._put_sighting(campaign, batch.number, sighting)
            if not is_repeated:
                at = elapsed if elapsed is not None else self._elapsed(campaign)
                totals.add_batch(database, campaign, batch, at, len(new), len(records) + len(known_sightings))
            if activity is not None:
                self._put_activity(campaign, activity)
            database.execute("delete from faults where campaign = ? and batch = ?", (campaign, batch.number))
            database.executemany(
                "insert into faults (campaign, batch, place, text, seen) values (?, ?, ?, ?, ?)",
                [(campaign, batch.number, fault.place, fault.text, time.time()) for fault in faults],
            )
            if elapsed is not None:
                database.execute("update campaigns set elapsed = ? where id = ?", (elapsed, campaign))
        return new

    def absorb(self, contents: StoreContents, folders: Mapping[str, str]) -> int:
        """Take over the findings in `folders` (by signature) from another store; return the number of new
        ones.

        Campaigns of others get numbers below zero: they count, but cannot be resumed. Doing it twice changes
        nothing.
        """
        new = 0
        with self._transaction() as database:
            numbers = {campaign.id: self._foreign_number(campaign) for campaign in contents.campaigns}
            for one in contents.findings:
                if one.signature not in folders:
                    continue
                cursor = database.execute(
                    "insert or ignore into findings values (?, ?, ?, ?, ?, ?, ?, ?)",
                    (one.signature, one.digest, one.kind, json.dumps(one.suspects), one.evidence,
                     folders[one.signature], one.first_seen, one.last_seen),
                )  # fmt: skip
                new += cursor.rowcount
                database.execute(
                    "update findings set first_seen = min(first_seen, ?), last_seen = max(last_seen, ?) "
                    "where signature = ?",
                    (one.first_seen, one.last_seen, one.signature),
                )
            database.executemany(
                "insert or ignore into sightings values (?, ?, ?, ?)",
                [
                    (seen.signature, numbers[seen.campaign], seen.batch, seen.place)
                    for seen in contents.sightings
                    if seen.signature in folders and seen.campaign in numbers
                ],
            )
            known_seeds = self.seeds(seed.digest for seed in contents.seeds)
            for seed in contents.seeds:
                if seed.digest not in known_seeds:
                    self._put_seed(seed)
        return new

    def _foreign_number(self, campaign: CampaignRecord) -> int:
        """The number here of a campaign that ran elsewhere, or that was exported and came back."""
        plan = json.dumps(campaign.plan)
        row = self._database.execute(
            "select id from campaigns where started = ? and plan = ?", (campaign.started, plan)
        ).fetchone()
        if row is not None:
            return int(row[0])
        (least,) = self._database.execute("select min(0, coalesce(min(id), 0)) from campaigns").fetchone()
        self._database.execute(
            "insert into campaigns (id, started, elapsed, plan, ended) values (?, ?, ?, ?, ?)",
            (least - 1, campaign.started, campaign.elapsed, plan, campaign.ended),
        )
        return int(least) - 1

    def add_finding(self, record: FindingRecord) -> Path:
        """Store a finding that belongs to no campaign; return its folder."""
        folder = finding_folder.write(self.folder / FINDINGS, record)
        with self._transaction():
            self._put_finding(record, folder)
            self._put_sighting(_NO_CAMPAIGN, record.batch, Sighting(record.signature, record.place))
        return folder

    def record_seeds(self, seeds: Iterable[SeedRecord]) -> None:
        with self._transaction():
            for seed in seeds:
                self._put_seed(seed)

    def learn(self, campaign: int, record: YieldRecord) -> None:
        """Store the yield of a batch, in the order of results; doing it twice changes nothing."""
        with self._transaction() as database:
            cursor = database.execute(
                "insert or ignore into yields (campaign, batch, record) values (?, ?, ?)",
                (campaign, record.batch, msgspec.json.encode(record).decode()),
            )
            if cursor.rowcount == 1:
                database.execute(
                    "insert into arms values (?, ?, ?, ?, 1, ?, ?) on conflict do update set "
                    "batches = batches + 1, gain = gain + excluded.gain, cost = cost + excluded.cost",
                    (campaign, record.strategy, record.logic, record.configuration, record.gain, record.cost),
                )
                if record.new_edges:
                    name, configuration = record.strategy, record.configuration
                    elapsed = self._elapsed(campaign)
                    totals.add_edges(database, campaign, name, configuration, elapsed, record.new_edges)

    def end(self, campaign: int, reason: str, elapsed: float) -> None:
        with self._transaction() as database:
            database.execute(
                "update campaigns set ended = ?, elapsed = ? where id = ?", (reason, elapsed, campaign)
            )
            database.execute("delete from running where campaign = ?", (campaign,))

    def _keep_timeout(self, solver: str, run: str, trace: str) -> None:
        """Keep the trace of a library run that timed out."""
        folder = self.folder / TIMEOUTS
        folder.mkdir(exist_ok=True)
        name = "".join(c if c.isalnum() or c in ".@-" else "_" for c in solver)
        atomic.write_file(folder / f"{name}-{run}.trace", trace)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            self._database.execute("begin immediate")
            yield self._database
            self._database.execute("commit")
        except BaseException as error:
            if self._database.in_transaction:
                self._database.execute("rollback")
            if isinstance(error, sqlite3.Error):
                raise schema.surroundings_error(f"{self.folder}: cannot write the store", error) from error
            raise

    def _elapsed(self, campaign: int) -> float:
        row = self._database.execute("select elapsed from campaigns where id = ?", (campaign,)).fetchone()
        return 0.0 if row is None else float(row[0])

    def _put_activity(self, campaign: int, activity: Activity) -> None:
        self._database.execute(
            "insert or replace into running values (?, ?, ?)", (campaign, time.time(), activity.jobs)
        )

    def _put_batch(self, campaign: int, batch: BatchRecord) -> bool:
        """Store a batch; return whether it was stored before."""
        before = self._database.execute(
            "select 1 from batches where campaign = ? and number = ?", (campaign, batch.number)
        ).fetchone()
        self._database.execute(
            "insert or replace into batches values (?, ?, ?, ?, ?, ?, ?, ?)",
            (campaign, batch.number, batch.strategy, batch.seed, batch.made, batch.seconds, batch.ending,
             json.dumps(batch.tally)),
        )  # fmt: skip
        return before is not None

    def _put_seed(self, seed: SeedRecord) -> None:
        self._database.execute(
            "insert or replace into seeds values (?, ?, ?)", (seed.digest, seed.name, seed.filtered)
        )
        self._database.executemany(
            "insert or replace into measures values (?, ?, ?, ?, ?)",
            [(seed.digest, m.solver, m.seconds, " ".join(m.verdicts), m.ending) for m in seed.measures],
        )
        self._database.executemany(
            "insert or replace into memories values (?, ?, ?)",
            [(seed.digest, strategy, memory) for strategy, memory in seed.memory.items()],
        )

    def _put_finding(self, record: FindingRecord, folder: Path) -> bool:
        now = time.time()
        cursor = self._database.execute(
            "insert or ignore into findings values (?, ?, ?, ?, ?, ?, ?, ?)",
            (record.signature, record.digest, record.kind, json.dumps(record.suspects), record.evidence,
             folder.name, now, now),
        )  # fmt: skip
        return cursor.rowcount == 1

    def _put_sighting(self, campaign: int, batch: int, sighting: Sighting) -> None:
        self._database.execute(
            "insert or ignore into sightings values (?, ?, ?, ?)",
            (sighting.signature, campaign, batch, sighting.place),
        )
        self._database.execute(
            "update findings set last_seen = ? where signature = ?", (time.time(), sighting.signature)
        )


def _locked(folder: Path) -> int:
    """A lock that the kernel releases when this process ends, however it ends."""
    lock = os.open(folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise SurroundingsError(f"{folder}: another falsum process is writing here") from None
    except OSError as error:  # some network file systems have no locks
        os.close(lock)
        raise SurroundingsError(
            f"{folder}: cannot lock the store: {error.strerror}; use a directory on a local disk"
        ) from error
    return lock
