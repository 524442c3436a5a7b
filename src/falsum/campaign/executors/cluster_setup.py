"""ClusterSetup: what a campaign requires of every worker, and how a worker checks it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import msgspec

from falsum import plugins
from falsum.campaign.executors import build_archive
from falsum.campaign.executors.executor import content_digest
from falsum.errors import FalsumError
from falsum.solvers.builds.relocation import Relocations, relocated
from falsum.solvers.names import NAME
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.version import __version__


class BuildOffer(msgspec.Struct, frozen=True):
    """A file of the user's: its path, the digest of its content, and the digest of an archive that contains
    it.
    """

    path: str
    digest: str
    archive: str


class ClusterSetup(msgspec.Struct, frozen=True):
    """The release of falsum, the versions of solvers by name, the user's own builds, the plug-in files.

    Builds and plug-ins are named by the digests of their contents, which a worker asks for if it lacks them.
    """

    campaign: str
    version: str
    solvers: dict[str, str] = {}
    builds: tuple[BuildOffer, ...] = ()
    plugins: dict[str, str] = {}


class SetupContents(msgspec.Struct, frozen=True):
    """A setup, and the contents that workers may ask for, by digest."""

    setup: ClusterSetup
    contents: dict[str, bytes]

    @classmethod
    def of(cls, campaign: str, solvers: list[Solver]) -> Self:
        """What workers must have so that they do the same as this machine would."""
        contents: dict[str, bytes] = {}

        def added(content: bytes) -> str:
            contents[digest := content_digest(content)] = content
            return digest

        builds = []
        for file in dict.fromkeys(file for solver in solvers if (file := own_file(solver)) is not None):
            builds.append(BuildOffer(str(file), file_digest(file), added(build_archive.pack(file))))
        files = {path: added(Path(path).read_bytes()) for path in plugins.files()}
        versions = {solver.name: solver.version for solver in solvers}
        return cls(ClusterSetup(campaign, __version__, versions, tuple(builds), files), contents)


def own_file(solver: Solver) -> Path | None:
    """The user's own program or binding; None for installed releases and libraries."""
    if solver.command:
        return Path(solver.command[0])
    if solver.release is None or "/" not in solver.name:
        return None
    file = solver.release.program or solver.release.binding
    return Path(file) if file else None


def file_digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]


def missing_builds(setup: ClusterSetup) -> list[BuildOffer]:
    """The builds that this machine does not have at their paths with the same content."""
    return [build for build in setup.builds if not _is_here(build)]


def unpacked_builds(setup: ClusterSetup, contents: Mapping[str, bytes]) -> Relocations:
    """The folders of the builds that this machine got from the campaign, by their original paths."""
    relocations = {}
    for build in missing_builds(setup):
        relocations[build.path] = build_archive.unpack(contents[build.archive], Path(build.path).name)
    return relocations


def mismatch(setup: ClusterSetup, builds: Relocations) -> str:
    """Why this machine would not do the same as the one that made the setup; "" if it would."""
    if setup.version != __version__:
        return f"it has falsum {__version__}, the campaign {setup.version}"
    with relocated(builds):
        for name, release in setup.solvers.items():
            try:
                here = _installed(name).version
            except FalsumError as error:
                return str(error)
            if here != release:
                return f"its {name} is {here}, the campaign's is {release}"
    return ""


def _is_here(build: BuildOffer) -> bool:
    try:
        return file_digest(Path(build.path)) == build.digest
    except OSError:
        return False


def _installed(name: str) -> Solver:
    """The solver, installed from the package index if this machine lacks the named release."""
    zoo = Zoo()
    parts = NAME.match(name)
    if parts and parts["release"] and parts["product"] in BY_PRODUCT and zoo.find(*parts.group(1, 2)) is None:
        zoo.add(*parts.group(1, 2))
    return resolve(name, zoo)
