"""→ Theory. One module per theory; a new theory joins by a line in ALL."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.theories import (
    arithmetic,
    arrays,
    bags,
    bitvectors,
    core,
    fields,
    floats,
    relations,
    separation,
    sequences,
    sets,
    strings,
    tuples,
)
from falsum.smtlib.theories.registry import (
    NAMED_VALUES,
    OPERATORS,
    SORTS,
    THEORIES,
    THEORY_OF_SORT,
    join,
    joined,
    kind_of,
    theory_cache,
)
from falsum.smtlib.theories.theory import Theory

ALL: Final[tuple[Theory, ...]] = (
    core.THEORY,
    arithmetic.THEORY,
    bitvectors.THEORY,
    floats.THEORY,
    strings.THEORY,
    arrays.THEORY,
    sequences.THEORY,
    sets.THEORY,
    bags.THEORY,
    tuples.THEORY,
    relations.THEORY,
    fields.THEORY,
    separation.THEORY,
)
for _theory in ALL:
    join(_theory)

__all__ = [
    "ALL",
    "NAMED_VALUES",
    "OPERATORS",
    "SORTS",
    "THEORIES",
    "THEORY_OF_SORT",
    "Theory",
    "join",
    "joined",
    "kind_of",
    "theory_cache",
]
