"""Limits: the time, memory and output that one run of a solver may take."""

from __future__ import annotations

import os
import resource
import signal
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MEGABYTE = 1 << 20

# cvc5 reserves address space for thread arenas: a tight RLIMIT_AS kills it at start-up. Resident memory is
# limited first; the limit of the address space is a second one, for what grows faster than it is checked.
_SPARE_ADDRESS_SPACE = 4096 * MEGABYTE


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` of wall time, `cpu` seconds (default: as many); memory and output in megabytes.

    With fewer seconds of CPU time than of wall time, the load of the machine hardly influences whether a
    solver answers in time.
    """

    seconds: float = 10.0
    cpu: float | None = None
    memory: int = 2048
    output: int = 4

    @property
    def cpu_seconds(self) -> float:
        return self.seconds if self.cpu is None else self.cpu

    def within(self, seconds: float) -> Limits:
        """The same limits with at most these seconds."""
        # `replace` would take several times as long, for every request.
        return self if seconds >= self.seconds else Limits(seconds, self.cpu, self.memory, self.output)

    @property
    def resident_bytes(self) -> int:
        return self.memory * MEGABYTE

    @property
    def address_bytes(self) -> int:
        return self.memory * MEGABYTE + _SPARE_ADDRESS_SPACE

    @property
    def output_bytes(self) -> int:
        return self.output * MEGABYTE


NO_LIMIT = -1  # as the kernel writes it

# No file a solver writes is kept; the kernel stops one that tries to fill the disk.
FILE_BYTES = 64 * MEGABYTE

_QUEUE = "/proc/self/schedstat"


class _AlarmClock:
    """The alarm clock of this process, which has only one, while `limit_own_time` uses it.

    `queued` is the time that the process had waited for a core when the clock was set. It is read before and
    after every request, so its file stays open.
    """

    is_set = False
    queued = 0.0
    file: int | None = None


def limit_own_time(seconds: float) -> None:
    """Have the kernel end this process after these seconds, not counting those in which it waits for a
    solver; 0: no limit.
    """
    _AlarmClock.is_set = seconds > 0
    _AlarmClock.queued = _queued_seconds()
    signal.setitimer(signal.ITIMER_REAL, seconds)


@contextmanager
def waiting_for_solver() -> Iterator[None]:
    """A context in which this process waits for a solver with limits of its own: its own time stands still.

    Time in which other processes have the cores is added back here.
    """
    remaining = signal.setitimer(signal.ITIMER_REAL, 0)[0] if _AlarmClock.is_set else 0.0
    if remaining:
        remaining += max(0.0, _queued_seconds() - _AlarmClock.queued)
    try:
        yield
    finally:
        if remaining:
            _AlarmClock.queued = _queued_seconds()
            signal.setitimer(signal.ITIMER_REAL, remaining)


def _queued_seconds() -> float:
    """The seconds in which this process was ready but had no core; 0 if the kernel does not tell."""
    try:
        if _AlarmClock.file is None:
            _AlarmClock.file = os.open(_QUEUE, os.O_RDONLY | os.O_CLOEXEC)
        return int(os.pread(_AlarmClock.file, 128, 0).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def limit_own_memory(size: int) -> None:
    """Limit the memory of this process; only the soft limit, because solvers get limits of their own."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = size if hard == resource.RLIM_INFINITY else min(hard, size)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
