"""The atlas as it comes with falsum: a compressed file with a line of JSON for each bug."""

from __future__ import annotations

import difflib
import hashlib
import lzma
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from falsum.atlas.bug import AtlasBug
from falsum.errors import SurroundingsError, UsageError

FILE: Final = Path(__file__).with_name("bugs.jsonl.xz")
VERSION: Final = 1
_ALIKE: Final = 0.8  # z3-42 is meant to be z3-0042, but z3-9999 no other


class Heading(msgspec.Struct, frozen=True):
    """The first line: the version of the format, and the number of bugs."""

    version: int
    bugs: int


@cache
def atlas(file: Path = FILE) -> tuple[AtlasBug, ...]:
    """All bugs, by product and number."""
    try:
        heading, *lines = lzma.decompress(file.read_bytes()).splitlines()
        about = msgspec.json.decode(heading, type=Heading)
        bugs = tuple(msgspec.json.decode(line, type=AtlasBug) for line in lines)
    except (OSError, ValueError, lzma.LZMAError, msgspec.DecodeError) as error:
        raise SurroundingsError(f"{file}: not an atlas that falsum can read: {error}") from error
    if about.version != VERSION or about.bugs != len(bugs):
        raise SurroundingsError(f"{file}: not an atlas of version {VERSION}, or a part of one")
    return bugs


@cache
def digest(file: Path = FILE) -> str:
    """The digest of this atlas, which tells it from others."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def write_atlas(bugs: Iterable[AtlasBug], file: Path = FILE) -> None:
    """The same bugs always make the same file."""
    in_order = sorted(bugs, key=lambda bug: (bug.product, number_of(bug)))
    lines = [msgspec.json.encode(Heading(VERSION, len(in_order))), *map(msgspec.json.encode, in_order)]
    atlas.cache_clear()
    digest.cache_clear()
    file.write_bytes(lzma.compress(b"\n".join(lines), preset=9 | lzma.PRESET_EXTREME))


def number_of(bug: AtlasBug) -> int:
    """The number in the name: 123 of z3-0123."""
    return int(bug.name.rpartition("-")[2])


def bug_named(name: str, file: Path = FILE) -> AtlasBug:
    for bug in atlas(file):
        if bug.name == name:
            return bug
    near = difflib.get_close_matches(name, [bug.name for bug in atlas(file)], 1, _ALIKE)
    hint = f"did you mean {near[0]}?" if near else "falsum atlas list shows all"
    raise UsageError(f"no bug {name!r} in the atlas; {hint}")
