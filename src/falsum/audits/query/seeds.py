"""Random seeds set by a query itself, which are removed when it is run with others."""

from __future__ import annotations

import re
from typing import Final

_SEED: Final = re.compile(r"\(\s*set-option\s+:(?:[\w.-]*[.-]|[\w.-]*_)?(?:random[-_])?seed\s+\d+\s*\)")


def without_seeds(text: str) -> str:
    """The text without `(set-option :smt.random_seed 5)` and the like, which would override
    falsum's seeds.
    """
    return _SEED.sub("", text) if "seed" in text else text
