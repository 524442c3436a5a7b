"""Theory: the record of one theory."""

from __future__ import annotations

from dataclasses import dataclass

from falsum.smtlib.operators import Operator
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories.law import LawTable


@dataclass(frozen=True, slots=True, eq=False)
class Theory:
    """The sorts, operators and laws of a theory.

    Random choices among sorts, operators and laws depend on their order. `adjective` is used in reports
    ("a bit-vector formula"). `is_extension` means that the theory is not part of SMT-LIB and that solvers
    support either all of it or nothing: a seed with one of its operators may get any other. If no logic's
    name mentions the theory, `generated_sorts` are the sorts it adds to generated scripts of logic ALL.
    """

    name: str
    sorts: tuple[SortKind, ...] = ()
    operators: tuple[Operator, ...] = ()
    laws: tuple[LawTable, ...] = ()
    adjective: str = ""
    is_extension: bool = False
    generated_sorts: tuple[Sort, ...] = ()
