"""Theories: one module each; a new one joins by a line in ALL."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.operators import Operator, Theory
from falsum.smtlib.theories import (
    arithmetic,
    arrays,
    bitvectors,
    collections,
    core,
    fields,
    floats,
    strings,
)

ALL: Final[tuple[Theory, ...]] = (
    core.THEORY,
    arithmetic.THEORY,
    bitvectors.THEORY,
    floats.THEORY,
    strings.THEORY,
    arrays.THEORY,
    collections.THEORY,
    fields.THEORY,
)

OPERATORS: Final[dict[str, Operator]] = {
    operator.name: operator for theory in ALL for operator in theory.operators
}
SORTS: Final[dict[str, tuple[int, int]]] = {
    name: arity for theory in ALL for name, arity in theory.sorts.items()
}
