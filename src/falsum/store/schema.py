"""Schema: the tables of a store, and how its database is opened."""

from __future__ import annotations

import os
import shutil
import sqlite3  # noqa: TID251 - this is the room for it
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from falsum.errors import ShortageError, SurroundingsError
from falsum.version import __version__

FILE_NAME: Final = "falsum.sqlite"
VERSION: Final = 2
# Files that cannot be opened for want of descriptors, input and output for want of room or locks.
_SHORTAGES: Final = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM,
     sqlite3.SQLITE_BUSY}
)  # fmt: skip
_BUSY_SECONDS: Final = 30.0
_TABLES: Final = """
create table campaigns (
    id integer primary key, started real not null, elapsed real not null default 0,
    plan text not null, ended text not null default '');
create table batches (
    campaign integer not null, number integer not null, strategy text not null, seed text not null,
    made integer not null, seconds real not null, ending text not null, tally text not null,
    primary key (campaign, number)) without rowid;
create table seeds (
    digest text primary key, name text not null, filtered text not null) without rowid;
create table measures (
    digest text not null, solver text not null, seconds real not null, verdicts text not null,
    ending text not null, primary key (digest, solver)) without rowid;
create table findings (
    signature text primary key, digest text not null, kind text not null, suspects text not null,
    evidence text not null, folder text not null, first_seen real not null, last_seen real not null
    ) without rowid;
create table sightings (
    signature text not null, campaign integer not null, batch integer not null, place integer not null,
    primary key (signature, campaign, batch, place)) without rowid;
create table faults (
    id integer primary key, campaign integer not null, batch integer not null, place integer not null,
    text text not null, seen real not null);
create table yields (
    id integer primary key, campaign integer not null, batch integer not null, record text not null,
    unique (campaign, batch));
create table memories (
    digest text not null, strategy text not null, memory text not null,
    primary key (digest, strategy)) without rowid;
create table timeline (
    campaign integer not null, slot integer not null, width real not null, batches integer not null,
    made integer not null, lost integer not null, found integer not null, sightings integer not null,
    seconds real not null, tally text not null, primary key (campaign, slot)) without rowid;
create table strategy_totals (
    campaign integer not null, name text not null, batches integer not null, made integer not null,
    lost integer not null, found integer not null, sightings integer not null, seconds real not null,
    tally text not null, primary key (campaign, name)) without rowid;
create table arms (
    campaign integer not null, strategy text not null, logic text not null, configuration text not null,
    batches integer not null, gain real not null, cost real not null,
    primary key (campaign, strategy, logic, configuration)) without rowid;
create table taken_seeds (
    campaign integer not null, place integer not null, digest text not null, name text not null,
    logic text not null, primary key (campaign, place)) without rowid;
create table seed_texts (digest text primary key, text blob not null);
create table running (
    campaign integer primary key, at real not null, jobs integer not null);
create index findings_by_time on findings (last_seen);
create index seeds_by_name on seeds (name);
"""


def surroundings_error(what: str, error: Exception) -> SurroundingsError:
    """The error of a database as one of falsum's: a shortage if it may pass."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest tells details
    kind = ShortageError if code in _SHORTAGES else SurroundingsError
    return kind(f"{what}: {error}")


def open_to_write(folder: Path) -> sqlite3.Connection:
    """The database of a folder for writing; created if there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(folder / FILE_NAME, timeout=_BUSY_SECONDS, isolation_level=None)
        # Being killed at any moment does no harm; only a power cut may cost the last batches.
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = normal")
        if _version(database) == 0:
            database.executescript(f"begin; {_TABLES} pragma user_version = {VERSION}; commit;")
    except (OSError, sqlite3.Error) as error:
        raise SurroundingsError(f"{folder}: cannot open a store here: {error}") from error
    _expect_version(folder, database)
    _expect_tables_only(folder, database)
    return database


def open_to_read(folder: Path) -> sqlite3.Connection:
    """The database of a folder for reading, while another process may write."""
    file = folder / FILE_NAME
    if not file.is_file():
        raise SurroundingsError(f"{folder}: no campaign here")
    try:
        database = _reading(file) if os.access(folder, os.W_OK) else _copied(file)
        database.execute("pragma query_only = on")
        _expect_version(folder, database)
        _expect_tables_only(folder, database)
    except sqlite3.Error as error:
        raise SurroundingsError(f"{file}: {error}") from error
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    return database


def _expect_tables_only(folder: Path, database: sqlite3.Connection) -> None:
    """Raise SurroundingsError if a store has triggers or views: a foreign store must not run anything."""
    database.execute("pragma trusted_schema = off")
    row = database.execute(
        "select type, name from sqlite_master where type not in ('table', 'index') "
        "or sql like 'create virtual%'"
    ).fetchone()
    if row is not None:
        database.close()
        kind, name = row
        raise SurroundingsError(f"{folder}: the store has a {kind} {name!r}, which falsum never makes")


def _reading(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)


def _copied(file: Path) -> sqlite3.Connection:
    """A copy in memory, because SQLite must write next to a database with a write-ahead log to read it."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    with tempfile.TemporaryDirectory(prefix="falsum-") as scratch:
        for name in (file.name, f"{file.name}-wal"):
            if file.with_name(name).exists():
                shutil.copyfile(file.with_name(name), Path(scratch, name))
        with closing(_reading(Path(scratch, file.name))) as source:
            source.backup(memory)
    return memory


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("pragma user_version").fetchone()
    return int(version)


def _expect_version(folder: Path, database: sqlite3.Connection) -> None:
    version = _version(database)
    if version != VERSION:
        database.close()
        writer = "a newer" if version > VERSION else "another"
        raise SurroundingsError(
            f"{folder}: the store has format {version}, written by {writer} release of falsum; "
            f"falsum {__version__} reads format {VERSION}"
        )
