"""Release: finds solver releases (bundled, installed in the zoo, on PATH) and installs more."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.instruments.build import PLAIN, Build
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import ALL, BY_PRODUCT, Profile
from falsum.solvers.supervision.process import ProcessRunner, Program, call
from falsum.solvers.versions import UNKNOWN, parse_version

if TYPE_CHECKING:
    from collections.abc import Iterator

_INSTALL_SECONDS = 600.0
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)*(?:[-.]?(?:rc|post|pre|dev)\d*)?")
_RELEASE = re.compile(r"[0-9]+(\.[0-9]+)*([-.]?(a|b|rc|post|pre|dev)[0-9]*)?")
_LISTED = re.compile(r"^Available versions: (.*)$", re.MULTILINE)
_OFFLINE = re.compile(r"(?i)connection|timed? ?out|name resolution|network|proxy|max retries")


class Origin(StrEnum):
    OWN = "own"  # installed together with falsum
    ZOO = "zoo"
    PATH = "path"
    FILE = "file"  # named by the user


@dataclass(frozen=True, slots=True)
class Release:
    """One installed release: a program, or a folder with a Python library.

    `python` is the interpreter that loads the library, if it is not falsum's own; `binding` is a file with a
    binding of the user's own.
    """

    product: str
    version: str
    origin: Origin
    program: str | None = None
    folder: str | None = None
    python: str | None = None
    binding: str | None = None
    build: Build = PLAIN

    @property
    def name(self) -> str:
        return f"{self.product}@{self.version or 'system'}"

    def matches(self, release: str) -> bool:
        """`4.8.10` matches `4.8.10.0`; `system` the one on PATH; the empty name every release."""
        if release == "system":
            return self.origin is Origin.PATH
        return not release or self.version == release or self.version.startswith(release + ".")


class Zoo:
    """The releases on this machine; none is ever loaded into falsum's own process."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = (root or _default_root()).absolute()  # solvers run in directories of their own

    def find(self, product: str, release_name: str = "") -> Release | None:
        """The wanted release; by default the bundled one, else the newest installed, else the one on PATH."""
        profile = BY_PRODUCT[product]
        for place in (self.own, self.installed, self.on_path):
            fitting = [release for release in place(profile) if release.matches(release_name)]
            if fitting:
                return max(fitting, key=lambda release: parse_version(release.version))
        return None

    def all(self) -> list[Release]:
        releases: list[Release] = []
        for profile in ALL:
            releases += [*self.own(profile), *self.installed(profile), *self.on_path(profile)]
        return releases

    def own(self, profile: Profile) -> list[Release]:
        for package in profile.packages[:1]:
            try:
                distribution = metadata.distribution(package)
            except metadata.PackageNotFoundError:
                return []
            folder = Path(str(distribution.locate_file("")))
            files = [Path(str(distribution.locate_file(file))) for file in distribution.files or ()]
            programs = [file for file in files if file.name in profile.programs]
            program = next((file for file in programs if file.parent.name == "bin"), None)
            return list(_release(profile, distribution.version, Origin.OWN, folder, program))
        return []

    def installed(self, profile: Profile) -> list[Release]:
        releases: list[Release] = []
        for folder in sorted((self.root / profile.product).glob("[0-9]*")):
            programs = [folder / "bin" / name for name in profile.programs]
            program = next((file for file in programs if file.is_file()), None)
            releases += _release(profile, folder.name, Origin.ZOO, folder, program)
        return sorted(releases, key=lambda release: parse_version(release.version))

    def on_path(self, profile: Profile) -> list[Release]:
        own = Path(sys.executable).parent
        for name in profile.programs:
            program = shutil.which(name)
            # falsum's own environment may come first on PATH; that is the bundled release, not another
            if program and Path(program).parent == own:
                program = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")
            if program:
                version = version_of(profile, program)
                return [Release(profile.product, version, Origin.PATH, program=program)]
        return []

    def add(self, product: str, release_name: str = "") -> Release:
        """Install a release from the package index; never compiles, never changes falsum's environment."""
        profile = BY_PRODUCT.get(product)
        if profile is None or not profile.packages:
            products = ", ".join(each.product for each in ALL if each.packages)
            raise UsageError(f"{product} cannot be installed; choose one of {products}")
        if release_name and not _RELEASE.fullmatch(release_name):
            raise UsageError(
                f"{product}@{release_name}: not a release; use numbers, for example {product}@1.2.3"
            )
        for release in self.installed(profile):
            if release_name and release.matches(release_name):
                return release
        with self._scratch() as scratch:
            target = Path(scratch) / "release"
            _pip_install(profile, release_name, target)
            version = _version_in(target, profile.packages[0])
            home = self.root / product / version
            home.parent.mkdir(exist_ok=True)
            try:
                target.rename(home)
            except OSError:  # another process was faster
                if not home.is_dir():
                    raise
        for release in self.installed(profile):
            if release.version == version:
                return release
        raise SurroundingsError(f"{product}@{version} is installed but contains no solver")

    def remove(self, release: Release) -> None:
        """Remove a release that was installed here."""
        if release.origin is not Origin.ZOO or release.folder is None:
            raise UsageError(
                f"{release.name} was not installed by falsum solvers add; it is {release.origin}"
            )
        try:
            shutil.rmtree(release.folder)
        except OSError as error:
            raise SurroundingsError(f"{release.folder}: {error.strerror}") from error

    def _scratch(self) -> tempfile.TemporaryDirectory[str]:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            return tempfile.TemporaryDirectory(dir=self.root, prefix="new-")
        except OSError as error:
            raise SurroundingsError(
                f"{self.root}: {error.strerror}; releases are installed here, or in the directory that "
                "FALSUM_ZOO names"
            ) from error

    def available(self, profile: Profile) -> tuple[str, ...]:
        """Releases in the package index for this interpreter, newest first."""
        status, output = call(
            [*_PIP, "index", "versions", "--only-binary", ":all:", profile.packages[0]], 60.0
        )
        match = _LISTED.search(output)
        if status or match is None:
            raise SurroundingsError(f"the package index cannot be queried: {_last_line(output)}")
        return tuple(version.strip() for version in match[1].split(","))


def _default_root() -> Path:
    folder = os.environ.get("FALSUM_ZOO")
    return Path(folder) if folder else Path(platformdirs.user_cache_dir("falsum")) / "zoo"


def version_of(profile: Profile, program: str, build: Build = PLAIN) -> str:
    """The version a program prints; empty if it prints none."""
    program_asked = Program.of_build((program, *profile.version_arguments), build)
    with ProcessRunner() as runner:
        result = runner.run(program_asked, Limits(seconds=5.0))
    match = _VERSION.search((result.stdout + result.stderr).decode(errors="replace"))
    return match[0] if match else ""


_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2")


def _release(
    profile: Profile, version: str, origin: Origin, folder: Path, program: Path | None
) -> Iterator[Release]:
    if program is not None:
        place = os.path.normpath(program)  # not resolve(): links into environments must stay links
        yield Release(profile.product, version, origin, program=place, folder=str(folder))
    elif profile.library is not None:
        yield Release(profile.product, version, origin, folder=str(folder))


def _pip_install(profile: Profile, release: str, target: Path) -> None:
    first, *others = profile.packages
    exact = f"{first}=={release}.*" if parse_version(release) is not UNKNOWN else first
    status, output = call(
        [*_PIP, "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--no-compile",
         "--target", str(target), exact, *others],
        _INSTALL_SECONDS,
    )  # fmt: skip
    if status == 0:
        return
    if "No module named pip" in output:
        raise SurroundingsError("falsum's environment has no pip; install it with: python -m ensurepip")
    if offered := re.search(r"\(from versions: ([^)]*)\)", output):
        if offered[1] != "none":
            raise SurroundingsError(
                f"{profile.product} {release} has no wheel for this interpreter; available: {offered[1]}"
            )
        if not _OFFLINE.search(output):
            raise SurroundingsError(f"{first} has no wheel for this interpreter")
    raise SurroundingsError(f"pip could not install {exact}: {_last_line(output)}")


def _version_in(target: Path, package: str) -> str:
    stem = package.replace("-", "_")
    for folder in target.glob("*.dist-info"):
        name, _, version = folder.name.removesuffix(".dist-info").partition("-")
        if name.lower() == stem:
            return version
    raise SurroundingsError(f"pip installed no {package} in {target}")


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no output"
