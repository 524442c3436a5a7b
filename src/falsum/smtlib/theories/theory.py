"""Theory: sorts, operators and laws that belong together."""

from __future__ import annotations

from dataclasses import dataclass

from falsum.smtlib.law import LawTable
from falsum.smtlib.operators import Operator
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.sorts import Sort


@dataclass(frozen=True, slots=True, eq=False)
class Theory:
    """One theory; the order of sorts, operators and laws is the order in which they are drawn.

    `word` is what people say before "formula". `is_extension`: SMT-LIB has it not, and solvers that have it
    have all of it, so a seed with one of its operators may get any other. `generated` are the sorts with
    which it takes part in generated scripts of logic ALL, for theories that no logic's name spells.
    """

    name: str
    sorts: tuple[SortKind, ...] = ()
    operators: tuple[Operator, ...] = ()
    laws: tuple[LawTable, ...] = ()
    word: str = ""
    is_extension: bool = False
    generated: tuple[Sort, ...] = ()
