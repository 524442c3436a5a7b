"""TriageRunner: triages one finding in a worker of this machine, ShippedTriageRunner in one of another.

Another machine gets the files of a finding, and returns those that triage adds.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.executors.executor import Task
from falsum.campaign.executors.scratch import scratch_folder
from falsum.campaign.triage import result
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.steps import recognise, triage
from falsum.errors import FalsumError
from falsum.solvers.names import product_of
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.zoo import Origin, Zoo
from falsum.store import atomic, finding_folder

RUNNER: Final = f"{__name__}:TriageRunner"
SHIPPED_RUNNER: Final = f"{__name__}:ShippedTriageRunner"


class TriageRunner:
    """Runs a triage task; its result is empty, or an error; the results of triage are in the folder."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        del stopping  # its time is limited, and each step is kept when it is done
        try:
            triage(msgspec.msgpack.decode(task.body, type=Job))
        except FalsumError as error:
            return str(error).encode(errors="replace")
        return b""

    def close(self) -> None:
        pass


class Shipment(msgspec.Struct, frozen=True):
    """A job, the files of its finding by name, and the releases to bisect over."""

    job: Job
    files: dict[str, bytes]
    releases: tuple[tuple[str, str], ...] = ()


class Delivery(msgspec.Struct, frozen=True):
    """The files that triage has written, and why it did not finish, or ""."""

    files: dict[str, bytes]
    error: str = ""


class ShippedTriageRunner:
    """Runs a shipped triage task; its result is an encoded Delivery."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        del stopping  # its time is limited
        shipment = msgspec.msgpack.decode(task.body, type=Shipment)
        with scratch_folder("triage") as scratch:
            folder = scratch / Path(shipment.job.folder).name
            folder.mkdir()
            for name, content in shipment.files.items():
                (folder / Path(name).name).write_bytes(content)
            error = _triage(msgspec.structs.replace(shipment.job, folder=str(folder)), shipment.releases)
            texts = {name: text for name, text in _files(folder).items() if shipment.files.get(name) != text}
        return msgspec.msgpack.encode(Delivery(texts, error))

    def close(self) -> None:
        pass


def packed(job: Job) -> bytes:
    """What a worker on another machine needs to triage a finding."""
    folder = Path(job.folder)
    releases = _releases(folder) if job.bisects else ()
    return msgspec.msgpack.encode(Shipment(job, _files(folder), releases))


def unpack(folder: Path, body: bytes) -> str:
    """Write returned files into the finding's folder, the result of triage last; return why there is
    none, or "".
    """
    delivery = msgspec.msgpack.decode(body, type=Delivery)
    for name, content in sorted(delivery.files.items(), key=lambda file: file[0] == result.TRIAGE):
        atomic.write_file(folder / Path(name).name, content, _mode(content))
    recognise(folder)
    return delivery.error


def _mode(content: bytes) -> int:
    return 0o755 if content.startswith(b"#!") else 0o644


def _triage(job: Job, releases: tuple[tuple[str, str], ...]) -> str:
    zoo = Zoo()
    try:
        for product, release in releases:
            if zoo.find(product, release) is None:
                zoo.add(product, release)
        triage(job, zoo)
    except FalsumError as error:
        return str(error)
    return ""


def _files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


def _releases(folder: Path) -> tuple[tuple[str, str], ...]:
    """The releases of the suspects' products that are installed here."""
    zoo = Zoo()
    suspects = finding_folder.read(folder).suspects
    products = dict.fromkeys(product for name in suspects if (product := product_of(name)) in BY_PRODUCT)
    return tuple(
        (product, release.version)
        for product in products
        for release in zoo.installed(BY_PRODUCT[product])
        if release.origin is Origin.ZOO
    )
