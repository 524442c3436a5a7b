"""States of a finding: a list of changes in a file of its folder; the last one is its state."""

from __future__ import annotations

import time
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from falsum.errors import SurroundingsError, UsageError
from falsum.store import atomic
from falsum.store.names import expect_no_link
from falsum.version import __version__

STATE_NAME: Final = "state.json"
_URL_SCHEMES: Final = ("https://", "http://")


class FindingState(StrEnum):
    """The state of a finding in its life."""

    NEW = "new"  # recorded by a campaign
    TRIAGED = "triaged"  # judged, reduced and written up
    CONFIRMED = "confirmed"  # shown again by a re-test, or confirmed by a person
    REPORTED = "reported"
    FIXED = "fixed"
    BACK = "back"  # shown again after it was fixed
    OBSOLETE = "obsolete"
    NOT_A_BUG = "not-a-bug"

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to act on the finding."""
        return self not in {FindingState.FIXED, FindingState.OBSOLETE, FindingState.NOT_A_BUG}

    @property
    def is_retested(self) -> bool:
        """Whether findings in this state are re-tested; fixed ones are, because a bug may come back."""
        return self.is_open or self is FindingState.FIXED


class StateChange(msgspec.Struct, frozen=True):
    """One change; `release` is where it was fixed or seen again, `commit` the same for a build."""

    state: FindingState
    at: float
    url: str = ""
    release: str = ""
    commit: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """The state as it is listed: `fixed in 4.8.11`, `reported https://…`."""
        where = self.release or self.commit
        match self.state:
            case FindingState.FIXED if where:
                return f"fixed in {where}"
            case FindingState.BACK:
                return f"back again in {where}" if where else "back again"
            case FindingState.REPORTED if self.url:
                return f"reported {self.url}"
            case _:
                return str(self.state)


class FindingLife(msgspec.Struct, frozen=True):
    """The changes of one finding, the oldest first."""

    changes: tuple[StateChange, ...] = ()

    @property
    def last(self) -> StateChange | None:
        return self.changes[-1] if self.changes else None

    @property
    def url(self) -> str:
        """The address where it was reported, whatever happened later."""
        return next((change.url for change in reversed(self.changes) if change.url), "")

    def with_change(self, change: StateChange) -> FindingLife:
        return FindingLife((*self.changes, change))

    def merged(self, other: FindingLife) -> FindingLife:
        """The changes of both, each once, in the order of time."""
        both = dict.fromkeys((*self.changes, *other.changes))
        return FindingLife(tuple(sorted(both, key=lambda change: change.at)))


def read_life(folder: Path) -> FindingLife:
    """The recorded life of a finding; without changes if there are none."""
    file = folder / STATE_NAME
    expect_no_link(file)
    try:
        return msgspec.json.decode(file.read_bytes(), type=FindingLife)
    except FileNotFoundError:
        return FindingLife()
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise SurroundingsError(
            f"{file}: not the states of a finding that falsum {__version__} can read: {error}"
        ) from error


def write_life(folder: Path, life: FindingLife) -> None:
    atomic.write_file(folder / STATE_NAME, msgspec.json.format(msgspec.json.encode(life)))


def state_of(folder: Path, *, is_triaged: bool) -> StateChange:
    """The state of a finding; without changes it is new, or triaged."""
    last = read_life(folder).last
    if last is not None and last.state is not FindingState.NEW:
        return last
    return StateChange(FindingState.TRIAGED if is_triaged else FindingState.NEW, last.at if last else 0.0)


def note_change(
    folders: Iterable[Path],
    state: FindingState,
    *,
    url: str = "",
    release: str = "",
    commit: str = "",
    note: str = "",
) -> None:
    """Add a change to the life of each finding; the URL of an earlier report is kept."""
    if url and not url.startswith(_URL_SCHEMES):
        raise UsageError(f"{url!r} is not the URL of a report; it begins with https:// or http://")
    for folder in folders:
        life = read_life(folder)
        change = StateChange(state, time.time(), url or life.url, release, commit, note)
        write_life(folder, life.with_change(change))
