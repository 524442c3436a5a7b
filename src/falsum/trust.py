"""Names of programs that stored and received files may use, because the user has named or trusts them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

VARIABLE: Final = "FALSUM_TRUST"
CHANGED: Final = "FALSUMCHANGED"
# A product, a release and settings whose values are plain words: no path, no command line.
_PRODUCT: Final = re.compile(r"[A-Za-z][\w-]*(@[\w.+-]+)?(:[\w.:=,+-]*)?")


def names_a_product(name: str) -> bool:
    """Whether a name can only mean a product that is installed, and gives it no path."""
    return bool(_PRODUCT.fullmatch(name))


def trusted() -> frozenset[str]:
    """The names that are trusted, one per line of a variable that worker processes inherit."""
    return frozenset(filter(None, os.environ.get(VARIABLE, "").split("\n")))


def trust(names: Iterable[str]) -> None:
    """Trust these names as well, in this process and those it starts."""
    os.environ[VARIABLE] = "\n".join(sorted(trusted() | set(names)))


def note_changed(names: Iterable[str]) -> None:
    """Remember the names under which the user has named programs that have changed since."""
    os.environ[CHANGED] = "\n".join(sorted(set(names)))


def distrust(name: str) -> str:
    """Why a program that a file names is not run."""
    if name in os.environ.get(CHANGED, "").split("\n"):
        return "has changed since you named it here"
    return "is not the name of a product, and programs that a file names are not run"
