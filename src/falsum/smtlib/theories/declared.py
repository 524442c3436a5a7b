"""The kinds of declared sorts, whose values are named elements, and of sort parameters, which have none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from falsum.smtlib.sort_kinds import Parts, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import INT, Sort
from falsum.smtlib.terms import sort_text
from falsum.smtlib.values.elements import Element


def element_text(sort: Sort, element: Element) -> str:
    """How models write an element; solvers also print elements of other sorts."""
    return f"(as {element.name} {sort_text(sort)})"


def _no_term(sort: Sort, payload: Payload, writer: TermWriter) -> None:
    """No term: values that are not elements belong to sorts that no command declares, such as z3's lists."""
    del sort, payload, writer


def _compose(sort: Sort, parts: Parts) -> Payload:
    elements = parts.elements(sort)
    return elements[0] if elements else Element(f"@{sort.name}_0")


def _smaller_sorts(sorts: Sequence[Sort]) -> Iterator[dict[Sort, Sort]]:
    return ({sort: INT} for sort in sorts if not sort.args)


DECLARED: Final = SortKind(
    "declared", arity=-1, term=_no_term, compose=_compose, smaller_sorts=_smaller_sorts
)
PARAMETER: Final = SortKind("parameter", is_first_class=False)
