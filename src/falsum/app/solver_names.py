"""Names of solvers as the user types them: paths become absolute, so that they mean the same anywhere."""

from __future__ import annotations

import os.path
import re
import shlex
from typing import Final

from falsum.errors import UsageError

# A path, perhaps after a label and the product it is a build of, and before settings.
_PATH: Final = re.compile(
    r"(?P<product>(?:[A-Za-z][\w-]*=){0,2})(?P<path>[^:]*/[^:]*)(?P<settings>:.*)?\Z", re.DOTALL
)


def absolute_name(name: str) -> str:
    """The name of a solver with an absolute program path; raises UsageError for an invalid name."""
    from falsum.solvers.names import words_of  # noqa: PLC0415 - profiles load msgspec, and `check` needs none

    words = words_of(name)
    if not words or "\0" in name:
        raise UsageError(f"invalid solver {name!r}; use a product, a path, or a command line in quotes")
    parts = _PATH.match(words[0])
    if parts is None:
        return name
    path = os.path.abspath(os.path.expanduser(parts["path"]))  # noqa: PTH100, PTH111 - no links are followed
    first = f"{parts['product']}{path}{parts['settings'] or ''}"
    if len(words) == 1:
        return shlex.quote(first) if " " in first else first
    return name if first == words[0] else shlex.join((first, *words[1:]))
