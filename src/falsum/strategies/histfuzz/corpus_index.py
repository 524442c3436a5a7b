"""CorpusIndex: the scripts of a folder by logic, and the operators that occur together in them.

Making it takes a look at every script, so it is kept in the user's cache for all workers and later campaigns.
It is made again when a file of the folder has changed.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from falsum.errors import SurroundingsError

_LOGIC: Final = re.compile(r"\(\s*set-logic\s+([A-Za-z_0-9+]+)\s*\)")
_OPERATOR: Final = re.compile(r"\(\s*(?:\(\s*_\s+)?([^\s()|\";:]+)")
_COMMANDS: Final = frozenset(
    "set-logic set-info set-option assert check-sat declare-fun declare-const define-fun exit push pop _ as "
    "let and or not => xor ite = distinct forall exists get-model".split()
)
_MAX_LENGTH: Final = 1 << 16
# A corpus is sampled for its rules: pairs of operators of so many scripts are counted.
_MAX_COUNTED: Final = 4000
_MAX_OPERATORS: Final = 60
# Changes when an index is made in another way.
_FORMAT: Final = 1


class CorpusIndex(msgspec.Struct, frozen=True):
    """Scripts by the name of their logic, and the probability of an operator given another one."""

    scripts: dict[str, list[str]]
    rules: dict[str, dict[str, float]]


def index_of(scripts: Iterable[tuple[str, str]]) -> CorpusIndex:
    """The index of scripts, given by name and text."""
    by_logic: dict[str, list[str]] = {}
    alone: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    for number, (name, text) in enumerate(scripts):
        match = _LOGIC.search(text)
        by_logic.setdefault(match[1] if match else "", []).append(name)
        if number < _MAX_COUNTED:
            operators = sorted(operators_in(text))[:_MAX_OPERATORS]
            alone.update(operators)
            together.update(permutations(operators, 2))
    rules: dict[str, dict[str, float]] = {}
    for (one, other), count in together.items():
        rules.setdefault(one, {})[other] = count / alone[one]
    return CorpusIndex(by_logic, rules)


def index_of_folder(folder: Path) -> CorpusIndex:
    """The index of all scripts below a folder, from the cache if nothing has changed."""
    files = sorted(_files(folder))
    stamps = hashlib.sha256(f"{_FORMAT} {folder.resolve()}".encode(errors="surrogateescape"))
    for name, size, modified in files:
        stamps.update(f"\0{name}\0{size} {modified}".encode(errors="surrogateescape"))
    cache_folder = Path(platformdirs.user_cache_dir("falsum")) / "corpora" / f"{stamps.hexdigest()[:32]}.json"
    try:
        return msgspec.json.decode(cache_folder.read_bytes(), type=CorpusIndex)
    except (OSError, msgspec.DecodeError):
        pass  # not made yet, or damaged
    texts = ((name, script_text(folder / name)) for name, _size, _changed in files)
    index = index_of((name, text) for name, text in texts if text)
    _keep(cache_folder, index)
    return index


def _files(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Scripts below a folder: path, length, and time of the last change."""
    base = len(str(folder)) + 1
    for where, _folders, names in os.walk(str(folder)):
        for name in names:
            if name.endswith((".smt2", ".smt2.gz")):
                path = f"{where}/{name}"
                try:
                    stat = os.stat(path)  # noqa: PTH116 - a Path for each would take longer than the rest
                except OSError:
                    continue  # a link that leads nowhere
                yield path[base:], stat.st_size, stat.st_mtime_ns


def _keep(file: Path, index: CorpusIndex) -> None:
    """Write an index to the cache; a cache that cannot be written only costs time."""
    part = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(msgspec.json.encode(index))
        part.replace(file)
    except OSError:
        with suppress(OSError):
            part.unlink()


def operators_in(text: str) -> frozenset[str]:
    """The words applied in a script, without connectives and commands."""
    return frozenset(_OPERATOR.findall(text)) - _COMMANDS


def script_text(path: Path) -> str:
    """The text of a script; "" if it is too long, not UTF-8, or gone."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(_MAX_LENGTH + 1)
        return data.decode() if len(data) <= _MAX_LENGTH else ""
    except (UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile, FileNotFoundError):
        return ""
    except OSError as error:
        raise SurroundingsError(f"{path}: cannot be read: {error.strerror}") from error
