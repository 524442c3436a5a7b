"""Seed files: files, directories and patterns, compressed or not, and the bundled seeds."""

from __future__ import annotations

import glob
import gzip
import hashlib
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.errors import FalsumError, ScriptError, SurroundingsError, UsageError
from falsum.printable import printable
from falsum.smtlib import print_script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.maps.fixedpoint import as_horn, is_fixedpoint
from falsum.smtlib.text.command_text import split_commands
from falsum.solvers.inputs.safe_script import missing_part
from falsum.strategies.mutant import Seed

SUFFIXES: Final = (".smt2", ".smt2.gz")
BUNDLED: Final = "bundled"
MAX_SEED_LENGTH: Final = 1 << 17
_LOGIC: Final = re.compile(r"\(\s*set-logic\s+([A-Za-z_0-9+]+)\s*\)")
_MAGIC: Final = re.compile(r"[*?\[]")
_CHECK: Final = "(check-sat"
# The commands of scripts that lack nothing but a check.
_WITHOUT_CHECK: Final = frozenset(
    """
    assert declare-const declare-datatype declare-datatypes declare-fun declare-sort define-const define-fun
    define-fun-rec define-funs-rec define-sort set-info set-logic set-option
    """.split()
)
# The commands that make a script one of z3's fixedpoint engine.
_FIXEDPOINT: Final = frozenset(("rule", "query"))


class SeedError(Exception):
    """Why a seed file cannot be used."""


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]


def completed(text: str) -> str:
    """A seed that only declares and asserts, completed by a check, which solvers need; one with rules and
    queries as Horn clauses.
    """
    if _CHECK in text:
        return text
    commands, balanced = split_commands(text)
    names = {command.name for command in commands} - {""}
    if not balanced:
        return text
    if names >= _FIXEDPOINT:
        return _with_clauses(text)
    if "assert" not in names or not names <= _WITHOUT_CHECK:
        return text
    return f"{text.rstrip()}\n{_CHECK})\n"


def _with_clauses(text: str) -> str:
    try:
        script = read_script(text)
    except FalsumError:
        return text
    return print_script(as_horn(script)) if is_fixedpoint(script) else text


def unusable(seed: Seed) -> str:
    """Why a seed is useless to any solver; "" if it is not."""
    if len(seed.text) > MAX_SEED_LENGTH:
        return f"longer than {MAX_SEED_LENGTH} bytes"
    try:
        checks = list(at_each_check(seed.script))
    except (FalsumError, RecursionError) as error:
        place = f"{error.line}:{error.column}: {error.message}" if isinstance(error, ScriptError) else error
        return f"unreadable: {place}"
    if not checks:
        return "no (check-sat)"
    if missing := missing_part(seed.text):
        return f"solvers would not get all of it: {missing}"
    # Seeds that are decided without the value of any symbol are of use: solvers simplify, not always rightly.
    return "" if any(script.assertions for script in checks) else "nothing is asserted"


@dataclass(frozen=True, slots=True)
class SeedFile:
    """A seed on disk; a bundled seed has its text instead of a path, and one of a resumed campaign is in the
    store.
    """

    name: str
    digest: str
    logic: str
    path: Path | None = None
    bundled: str = ""
    store: Callable[[str], str] | None = None

    def text(self) -> str:
        """The text; raises SeedError if the file cannot be read any more or has changed."""
        if self.store is not None:
            return self.store(self.digest)
        if self.path is None:
            return self.bundled
        text = _read(self.path)
        if digest_of(text) != self.digest:
            raise SeedError("the file has changed")
        return text


@dataclass(frozen=True, slots=True)
class GatheredSeeds:
    """The seeds, and the files that could not be read at all, with the reason."""

    seeds: tuple[SeedFile, ...]
    unreadable: tuple[tuple[str, str], ...] = ()


def gather(names: Iterable[str]) -> GatheredSeeds:
    """All seeds that the names mean, each text once, in order; the bundled seeds without names."""
    files: dict[str, SeedFile] = {}
    bad: list[tuple[str, str]] = []
    paths = tuple(names)
    if not paths:
        for name, text in _bundled():
            files.setdefault(digest_of(text), _seed(f"{BUNDLED}:{name}", text, None))
    for file in _files(paths):
        try:
            _check_name(file)
            if not any(file == name for name in paths):
                _check_link(Path(file), paths)
            text = _read(Path(file))
        except SeedError as error:
            bad.append((printable(file), str(error)))
            continue
        files.setdefault(digest_of(text), _seed(file, text, Path(file)))
    return GatheredSeeds(tuple(files.values()), tuple(bad))


def _seed(name: str, text: str, path: Path | None) -> SeedFile:
    logic = _LOGIC.search(text)
    return SeedFile(name, digest_of(text), logic[1] if logic else "", path, "" if path else text)


def _bundled() -> Iterator[tuple[str, str]]:
    from falsum.seeds import bundled  # noqa: PLC0415 - hundreds of files, wanted only here

    for entry in bundled():
        yield "/".join(Path(str(entry)).parts[-2:]), entry.read_text(encoding="utf-8")


def _files(names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if _MAGIC.search(name) and not Path(name).exists():
            matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - a pattern may be absolute
            if not matches:
                raise UsageError(f"{name}: no file matches")
            for match in matches:
                yield from _below(match)
        elif Path(name).exists():
            yield from _below(name)
        else:
            raise SurroundingsError(f"{name}: no such file or directory")


def _below(name: str) -> Iterator[str]:
    if not Path(name).is_dir():
        yield name
        return
    for folder, folders, files in os.walk(name):
        folders.sort()
        yield from (str(Path(folder, file)) for file in sorted(files) if file.endswith(SUFFIXES))


def _check_name(name: str) -> None:
    """Raise an error for a name that is not valid UTF-8, which the store requires."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise SeedError("the file name is not UTF-8") from None


def _check_link(path: Path, names_given: Iterable[str]) -> None:
    """Raise an error for a link that leads out of the folder the user named: its content may come from
    others.
    """
    if path.is_symlink() and not any(
        path.resolve().is_relative_to(Path(name).resolve()) for name in names_given
    ):
        raise SeedError("a symbolic link that leads out of its folder; name the file itself to use it")


def _read(path: Path) -> str:
    """The text of a script, up to one byte more than a seed may have; raises SeedError."""
    try:
        # Without O_NONBLOCK, opening a FIFO waits for a writer.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123 - of a descriptor
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SeedError("not a regular file")
            source = gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
            data: bytes = source.read(MAX_SEED_LENGTH + 1)
        return data.decode("utf-8")
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise SeedError(str(error)) from error
