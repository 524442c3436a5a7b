"""What a worker of a cluster does with a task: checks that it has the campaign's solvers, and runs it.

A task runs in a process of `ProcessPool`, with the same limits and the same end as on one machine: it dies
with the cluster's worker, is replaced when it has grown, and is killed when it hangs. Everything that is
exchanged is bytes of our own encoding.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import tempfile
import threading
from pathlib import Path
from typing import Final

import msgspec

from falsum import plugins
from falsum.campaign.executors.executor import Task, TaskResult
from falsum.campaign.executors.processes import ProcessPool
from falsum.errors import FalsumError
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.version import __version__

_LOOK_SECONDS: Final = 0.2


class ClusterSetup(msgspec.Struct, frozen=True):
    """What a campaign expects of every worker.

    The release of falsum, the identities of solvers by name, the contents of plug-in files by path.
    """

    campaign: str
    version: str
    solvers: dict[str, str] = {}
    plugins: dict[str, bytes] = {}

    @classmethod
    def of(cls, campaign: str, solvers: list[Solver]) -> ClusterSetup:
        """What workers must have so that they do the same as this machine would."""
        files = {path: Path(path).read_bytes() for path in plugins.files()}
        return cls(campaign, __version__, {solver.name: identity(solver) for solver in solvers}, files)


class WorkerReply(msgspec.Struct, frozen=True):
    """The result of a task, or why this worker cannot take part in the campaign."""

    result: TaskResult | None = None
    refused: str = ""


class _Slot:
    """The process of one thread of this worker, for one campaign."""

    def __init__(self, plugin_files: tuple[str, ...]) -> None:
        self.pool = ProcessPool(1, plugin_files=plugin_files)

    def run(self, task: Task, stopping: threading.Event) -> TaskResult:
        self.pool.submit(task)
        while self.pool.busy:
            if stopping.is_set():
                self.pool.stop()
            for result in self.pool.results(_LOOK_SECONDS):
                return result
        return TaskResult(task.number, lost="the campaign was stopped")


class _Membership:
    """A campaign that this worker takes part in."""

    def __init__(self, setup: ClusterSetup) -> None:
        self.refused = mismatch(setup)
        self.stopping = threading.Event()
        self.running = 0
        # A worker that is killed leaves it behind, so there is one only if it is needed.
        self._folder = tempfile.TemporaryDirectory(prefix="falsum-plugins-") if setup.plugins else None
        self._files = tuple(
            _written(Path(self._folder.name, str(number)), path, text)
            for number, (path, text) in enumerate(setup.plugins.items())
            if self._folder is not None
        )
        self._slots: dict[int, _Slot] = {}

    def run(self, task: Task) -> TaskResult:
        thread = threading.get_ident()
        if thread not in self._slots:
            self._slots[thread] = _Slot(self._files)
        return self._slots[thread].run(task, self.stopping)

    def close(self) -> None:
        self.stopping.set()
        for slot in self._slots.values():
            slot.pool.close(grace=0.0)
        if self._folder is not None:
            self._folder.cleanup()


def _written(folder: Path, path: str, text: bytes) -> str:
    folder.mkdir()
    file = folder / Path(path).name
    file.write_bytes(text)
    return str(file)


_memberships: dict[str, _Membership] = {}
_joining = threading.Lock()


def run_task(setup: bytes, message: bytes) -> bytes:
    """Run an encoded Task for an encoded ClusterSetup; an encoded WorkerReply."""
    membership = _join(msgspec.msgpack.decode(setup, type=ClusterSetup))
    try:
        if membership.refused:
            return msgspec.msgpack.encode(WorkerReply(refused=membership.refused))
        result = membership.run(msgspec.msgpack.decode(message, type=Task))
        return msgspec.msgpack.encode(WorkerReply(result))
    finally:
        with _joining:
            membership.running -= 1


def stop(campaign: str) -> None:
    """Ask the tasks of a campaign to end early."""
    if campaign in _memberships:
        _memberships[campaign].stopping.set()


def leave(campaign: str) -> None:
    """End all processes of a campaign."""
    with _joining:
        if campaign in _memberships:
            _memberships.pop(campaign).close()


def _join(setup: ClusterSetup) -> _Membership:
    with _joining:
        if setup.campaign not in _memberships:
            # Dask starts its workers as daemons, which may not have children; ours end with this process.
            multiprocessing.current_process().daemon = False
            # Campaigns that ended without a word, with their machine, must not keep solvers here for ever.
            for idle in [name for name, other in _memberships.items() if not other.running]:
                _memberships.pop(idle).close()
            _memberships[setup.campaign] = _Membership(setup)
        _memberships[setup.campaign].running += 1
        return _memberships[setup.campaign]


def mismatch(setup: ClusterSetup) -> str:
    """Why this machine would not do the same as the one that made the setup, or ""."""
    if setup.version != __version__:
        return f"it has falsum {__version__}, the campaign {setup.version}"
    for name, wanted in setup.solvers.items():
        try:
            here = identity(_installed(name))
        except FalsumError as error:
            return str(error)
        if here != wanted:
            return f"its {name} is {here}, the campaign's is {wanted}"
    return ""


def identity(solver: Solver) -> str:
    """The release of a solver; for a program that a path names, also the digest of its content."""
    program = solver.command[0] if solver.command else solver.release.program if solver.release else None
    if program is None or ("/" not in solver.name and not solver.command):
        return solver.version
    with Path(program).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    return f"{solver.version} {digest}".strip()


def _installed(name: str) -> Solver:
    """The solver, installed from the package index if this machine lacks the release that is named."""
    zoo = Zoo()
    product, _, release = name.partition(":")[0].partition("@")
    if release and product in BY_PRODUCT and zoo.find(product, release) is None:
        zoo.add(product, release)
    return resolve(name, zoo)
