"""Seeds: small scripts written for falsum and bundled with it, with known answers. The first line says
what a script exercises; its folder is its logic, and its (last) answer is in its name.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

_SUFFIX = ".smt2"


def bundled() -> tuple[Traversable, ...]:
    """Every bundled seed, ordered by logic and name."""
    logics = sorted((entry for entry in files(__name__).iterdir() if entry.is_dir()), key=_name)
    return tuple(
        script
        for logic in logics
        for script in sorted(logic.iterdir(), key=_name)
        if script.name.endswith(_SUFFIX)
    )


def _name(entry: Traversable) -> str:
    return entry.name
