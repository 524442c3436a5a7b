"""Finds the solver at a path: a program, a build directory, a virtual environment, or a binding file."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.builds import relocation
from falsum.solvers.instruments.build import Build, build_of
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import GENERIC, Profile
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.zoo import Origin, Release, version_of

_VERSION_SCRIPT: Final = Path(__file__).parents[1] / "hosts" / "version.py"
_ASKED_SECONDS: Final = 30.0
_OLDEST_PYTHON: Final = (3, 9)
# Compiled modules carry the release of Python that they were built for.
_TAG: Final = re.compile(r"\.cpython-(\d)(\d+)")
# A build directory is searched so deep, and no further than so many folders.
_DEPTH: Final = 5
_MOST_FOLDERS: Final = 5000
_SKIPPED: Final = re.compile(r"\..*|CMakeFiles|__pycache__|.*\.p|test|tests|docs")
_LIBRARY_FOLDERS: Final = ("", "lib", "lib64", "src")


def release_at(profile: Profile, path: str) -> Release:
    """The release of a product at a path."""
    place = Path(relocation.here(path)).expanduser()
    if place.suffix == ".py" and place.is_file():
        return _binding(profile, place.absolute())
    if place.is_dir():
        place = place.absolute()
        return (
            _environment(profile, place) if (place / "bin" / "python").exists() else _folder(profile, place)
        )
    return _program(profile, absolute_program(path))


def absolute_program(program: str) -> str:
    """The program that the shell would find."""
    path = shutil.which(os.path.expanduser(relocation.here(program)))  # noqa: PTH111 - Path("./x") is "x", elsewhere
    if path is None:
        raise SurroundingsError(f"program not found: {program}")
    return str(Path(path).absolute())


def _program(profile: Profile, program: str) -> Release:
    build = build_of([Path(program)])
    version = version_of(profile, program, build) if profile.product != GENERIC.product else ""
    return Release(profile.product, version, Origin.FILE, program=program, build=build)


def _binding(profile: Profile, file: Path) -> Release:
    build = build_of(shared_libraries([file.parent]))
    return Release(profile.product, "", Origin.FILE, folder=str(file.parent), binding=str(file), build=build)


def _environment(profile: Profile, place: Path) -> Release:
    """A virtual environment, or an installed interpreter, that has the library."""
    site_folders = sorted(place.glob("lib/python3*/site-packages"))
    folders = [folder for folder in site_folders if _module_in(folder, profile)]
    if not folders:
        raise SurroundingsError(f"{place}: no Python module {_module(profile)} in this environment")
    return _library(profile, folders[-1], str(place / "bin" / "python"), [])


def _folder(profile: Profile, place: Path) -> Release:
    """A directory with the library's Python module, directly or further down."""
    folder = next((each for each in _folders(place) if _module_in(each, profile)), None)
    if folder is None:
        raise SurroundingsError(
            f"{place}: no Python module {_module(profile)} in this directory; "
            "give the directory that holds it, or a virtual environment in which it is installed"
        )
    near = [place / name for name in _LIBRARY_FOLDERS if (place / name).is_dir()]
    return _library(profile, folder, _interpreter(profile, folder), near)


def _library(profile: Profile, folder: Path, python: str, near: list[Path]) -> Release:
    module = _module_in(folder, profile)
    places = [folder / _module(profile)] if module is None or module.is_dir() else []
    files = [*([module] if module is not None and module.is_file() else ()), *shared_libraries(places, near)]
    build = replace(build_of(files), folders=tuple(map(str, near)))
    version = _version(profile, folder, python, build)
    return Release(profile.product, version, Origin.FILE, folder=str(folder), python=python, build=build)


def _version(profile: Profile, folder: Path, python: str, build: Build) -> str:
    """The version that the library reports, in the interpreter that will load it."""
    argv = (python, "-I", "-S", str(_VERSION_SCRIPT), _module(profile), str(folder), *profile.packages[:1])
    with ProcessRunner() as runner:
        ran = runner.run(Program.of_build(argv, build, preloads=True), Limits(seconds=_ASKED_SECONDS))
    if ran.status:
        lines = ran.stderr.decode(errors="replace").strip().splitlines() or ["no output"]
        raise SurroundingsError(f"{folder}: {_module(profile)} cannot be loaded by {python}: {lines[-1]}")
    description: dict[str, Any] = json.loads(ran.stdout)
    if tuple(description["python"]) < _OLDEST_PYTHON:
        oldest = ".".join(map(str, _OLDEST_PYTHON))
        raise SurroundingsError(f"{python} is older than Python {oldest}, which falsum needs for libraries")
    return str(description["version"])


def _interpreter(profile: Profile, folder: Path) -> str:
    """The interpreter that a compiled module was built for; falsum's own if any will do."""
    module = _module_in(folder, profile)
    files = (
        [module] if module is not None and module.is_file() else shared_libraries([folder / _module(profile)])
    )
    tags = {(match[1], match[2]) for file in files if (match := _TAG.search(file.name))}
    own = (str(sys.version_info.major), str(sys.version_info.minor))
    if not tags or own in tags:
        return sys.executable
    release = f"3.{max(int(minor) for _major, minor in tags)}"
    program = shutil.which(f"python{release}")
    if program is None:
        raise SurroundingsError(
            f"{folder}: {_module(profile)} is built for Python {release}, which is not on PATH; "
            "give a virtual environment of that Python"
        )
    return program


def _module(profile: Profile) -> str:
    if not profile.module:
        raise UsageError(
            f"{profile.product} has no library that can be given by a directory; give its program"
        )
    return profile.module


def _module_in(folder: Path, profile: Profile) -> Path | None:
    """The package or the compiled module in a folder."""
    name = _module(profile)
    if (folder / name / "__init__.py").is_file():
        return folder / name
    return next(iter(sorted(folder.glob(f"{name}.*so"))), None)


def _folders(place: Path) -> Iterator[Path]:
    """The directory and those below it, the nearest first."""
    todo = deque([(place, 0)])
    for _ in range(_MOST_FOLDERS):
        if not todo:
            return
        folder, depth = todo.popleft()
        yield folder
        if depth < _DEPTH:
            below = sorted(each for each in folder.iterdir() if each.is_dir() and not each.is_symlink())
            todo += [(each, depth + 1) for each in below if not _SKIPPED.fullmatch(each.name)]


def shared_libraries(places: list[Path], near: Sequence[Path] = ()) -> list[Path]:
    """Shared libraries in and below some folders, and directly in others."""
    libraries = [file for place in places for file in sorted(place.rglob("*.so*"))]
    libraries += [file for place in near for file in sorted(place.glob("*.so*"))]
    return [file for file in dict.fromkeys(libraries) if file.is_file()]
