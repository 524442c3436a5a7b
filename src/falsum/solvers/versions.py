"""Versions of solver releases and their order; not every release follows PEP 440."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from packaging.version import InvalidVersion, Version

UNKNOWN: Final = Version("0.dev0")  # what `system` and the empty name tell: older than every release
NEWEST: Final = Version("9999")
_NUMBERS: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*")


@cache
def parse_version(release: str) -> Version:
    """The version in the name of a release, or its leading numbers; `UNKNOWN` if there are none."""
    try:
        return Version(release)
    except InvalidVersion:
        match = _NUMBERS.match(release)
        return Version(match[0]) if match else UNKNOWN


@cache
def is_before(release: str, boundary: str) -> bool:
    """Whether a release is known to precede the boundary; development builds of the boundary do not."""
    version = parse_version(release)
    return version is not UNKNOWN and version < Version(f"{boundary}.dev0")


def is_same_release(one: str, other: str) -> bool:
    """Whether two names mean one release: 4.8.12 is 4.8.12.0; a post-release of it is another one."""
    return parse_version(one) == parse_version(other)
