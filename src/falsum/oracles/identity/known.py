"""Known findings: those listed in `known.toml` and those already in a store are recognised again.

[[finding]]
signature = "crash | z3 | assertion: …"     # a signature after reduction, or
pattern = "z3 .*seq.nth"                   # a regular expression that is found in it
url = "https://…"
note = "fixed on the main branch"
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from falsum.errors import SurroundingsError, UsageError
from falsum.oracles.identity.fingerprint import Fingerprint, parse_fingerprint
from falsum.oracles.identity.groups import SAME, similarity

FILE_NAME: Final = "known.toml"


class Known(msgspec.Struct, frozen=True):
    """A finding somebody knows already: `url` says where it is reported, `note` what there is to say."""

    signature: str = ""
    pattern: str = ""
    url: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Recognition:
    """Which known finding it is; `exact` if signature or pattern fit, else the two are only much alike."""

    known: Known
    exact: bool

    def __str__(self) -> str:
        about = ", ".join(filter(None, (self.known.url, self.known.note))) or self.known.signature
        return f"known: {about}" if self.exact else f"much like what is known: {about}"


def recognised(signature: str, known: Iterable[Known]) -> Recognition | None:
    """The known finding this one is: by its signature, by a pattern, else by likeness; None if it is new.

    Only signatures after reduction are like others.
    """
    listed = tuple(known)
    for each in listed:
        if each.signature == signature or (each.pattern and re.search(each.pattern, signature)):
            return Recognition(each, exact=True)
    fingerprint = parse_fingerprint(signature)
    if fingerprint is None:
        return None
    likeness = {each: _likeness(fingerprint, each) for each in listed}
    nearest = max(listed, key=lambda each: likeness[each], default=None)
    if nearest is not None and likeness[nearest] >= SAME:
        return Recognition(nearest, exact=False)
    return None


def _likeness(fingerprint: Fingerprint, known: Known) -> float:
    other = parse_fingerprint(known.signature) if known.signature else None
    return similarity(fingerprint, other) if other is not None else 0.0


def read_known(path: Path | None = None) -> tuple[Known, ...]:
    """What a file lists, or `known.toml` here; nothing if there is none."""
    file = path or Path(FILE_NAME)
    if path is None and not file.exists():
        return ()
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {error}") from error
    unknown = [key for key in table if key != "finding"]
    if unknown:
        raise UsageError(f"{file}: unknown key {unknown[0]}; known findings are written [[finding]]")
    entries = table.get("finding", [])
    if not isinstance(entries, list):
        raise UsageError(f"{file}: known findings are written [[finding]]")
    return tuple(_entry(file, entry) for entry in entries)


def _entry(file: Path, entry: Any) -> Known:
    fields = Known.__struct_fields__
    for key in entry if isinstance(entry, dict) else ():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(fields)}"
            raise UsageError(f"{file}: unknown key finding.{key}; {hint}")
    try:
        known = msgspec.convert(entry, Known)
        re.compile(known.pattern)
    except (msgspec.ValidationError, re.error) as error:
        raise UsageError(f"{file}: {error}") from error
    if not (known.signature or known.pattern):
        raise UsageError(f"{file}: a known finding has a signature or a pattern")
    return known
