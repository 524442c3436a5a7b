"""Known findings: those listed in `known.toml`, and those that are in a store already.

[[finding]]
signature = "crash | z3 | assertion: …"     # a signature after reduction, or
pattern = "z3 .*seq.nth"                   # a regular expression to search for in it
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

from falsum.atlas.collection import atlas
from falsum.defects.identity.fingerprint import Fingerprint, parse_fingerprint
from falsum.defects.identity.groups import SAME, similarity
from falsum.errors import SurroundingsError, UsageError

FILE_NAME: Final = "known.toml"
ATLAS: Final = "atlas"
_IN_ATLAS: Final = re.compile(rf"\bas {ATLAS} (\S+)")


class Known(msgspec.Struct, frozen=True):
    """An entry of the list: `url` is where the finding is reported, `note` is a remark."""

    signature: str = ""
    pattern: str = ""
    url: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Recognition:
    """The known finding that a finding is; `exact` if signature or pattern match, else it is only similar."""

    known: Known
    exact: bool

    def __str__(self) -> str:
        about = ", ".join(filter(None, (self.known.url, self.known.note))) or self.known.signature
        return f"known: {about}" if self.exact else f"similar to a known finding: {about}"


def recognised(signature: str, known_list: Iterable[Known]) -> Recognition | None:
    """The known finding with this signature, a matching pattern or a similar signature; None if there is
    none.

    Only signatures after reduction can be similar.
    """
    entries = tuple(known_list)
    for each in entries:
        if each.signature == signature or (each.pattern and re.search(each.pattern, signature)):
            return Recognition(each, exact=True)
    fingerprint = parse_fingerprint(signature)
    if fingerprint is None:
        return None
    scores = {each: _similarity(fingerprint, each) for each in entries}
    nearest = max(entries, key=lambda each: scores[each], default=None)
    if nearest is not None and scores[nearest] >= SAME:
        return Recognition(nearest, exact=False)
    return None


def known_in_atlas(suspect: str, version: str, fixed_release: str) -> tuple[Known, ...]:
    """The bugs of the atlas in a release; if the fix of the finding is known, only those with the same
    fix.
    """
    return tuple(
        Known(signature=bug.signature, note=f"as {ATLAS} {bug.name}")
        for bug in atlas()
        if bug.is_in(suspect, version)
        and (not fixed_release or not bug.fixed or fixed_release == bug.fixed_version)
    )


def atlas_name(recognition: str) -> str:
    """The bug of the atlas named in the text of a recognition; "" if there is none."""
    name = _IN_ATLAS.search(recognition)
    return name[1] if name is not None else ""


def _similarity(fingerprint: Fingerprint, entry: Known) -> float:
    other = parse_fingerprint(entry.signature) if entry.signature else None
    return similarity(fingerprint, other) if other is not None else 0.0


def read_known(path: Path | None = None) -> tuple[Known, ...]:
    """The entries of a file, by default of `known.toml` in the current directory if there is one."""
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
        raise UsageError(f"{file}: unknown key {unknown[0]}; list known findings as [[finding]] tables")
    entries = table.get("finding", [])
    if not isinstance(entries, list):
        raise UsageError(
            f"{file}: finding is not an array of tables; list known findings as [[finding]] tables"
        )
    return tuple(_entry(file, entry) for entry in entries)


def _entry(file: Path, entry: Any) -> Known:
    fields = Known.__struct_fields__
    for key in entry if isinstance(entry, dict) else ():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, 1)
            hint = f"did you mean {near[0]}?" if near else f"valid keys are {', '.join(fields)}"
            raise UsageError(f"{file}: unknown key finding.{key}; {hint}")
    try:
        known_finding = msgspec.convert(entry, Known)
        re.compile(known_finding.pattern)
    except (msgspec.ValidationError, re.error) as error:
        raise UsageError(f"{file}: {error}") from error
    if not (known_finding.signature or known_finding.pattern):
        raise UsageError(f"{file}: a [[finding]] needs a signature or a pattern")
    return known_finding
