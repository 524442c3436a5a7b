"""Evaluates separation logic: a formula holds in a heap, `sep` splits the heap and `wand` extends it.

The heap is that of the model. Formulas are evaluated in other heaps by nested evaluations. A heap has each
location at most once and never `sep.nil`; `pto` holds in the heap of that one cell alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from falsum.smtlib.evaluation.settled import settled
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import App, Term
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

Cells: TypeAlias = frozenset[tuple[Any, Any]]
# The most cells of a heap all of whose parts are tried, and the most heaps that may refute a wand.
_MOST_CELLS: Final = 8
_MOST_EXTENSIONS: Final = 256
_NO_HEAP: Final = CannotSay("the model has no heap")
_UNCLEAR: Final = CannotSay("the heap, or what holds in a part of it, is not known")


@dataclass(frozen=True, slots=True)
class Heap:
    """Cells (location and contents), with the sorts of both, and the location that no heap has."""

    cells: Cells
    nil: Any
    sorts: tuple[Sort, Sort]


def is_spatial(term: Term) -> bool:
    """Whether the value of a term depends on the heap."""
    return any(_name(part) in ("pto", "sep", "wand", "sep.emp") for part in subterms(term))


def _name(term: Term) -> str:
    """The name of an operator of separation logic, or ""."""
    symbol = term.head.symbol if isinstance(term, App) else None
    return symbol.name if isinstance(symbol, Operator) and symbol.theory == "Separation" else ""


def current(evaluation: Evaluation) -> Heap | CannotSay:
    """The heap of an evaluation: at first that of the model."""
    if evaluation.heap is None:
        evaluation.heap = _NO_HEAP  # while its terms are evaluated
        evaluation.heap = _heap_of_model(evaluation)
    return evaluation.heap


def _heap_of_model(evaluation: Evaluation) -> Heap | CannotSay:
    text = evaluation.model.heap
    if text is None:
        return _NO_HEAP
    cells = frozenset(
        (_settled(evaluation, location), _settled(evaluation, contents)) for location, contents in text.cells
    )
    nil = _settled(evaluation, text.nil)
    locations = [location for location, _ in cells]
    if any(isinstance(payload, CannotSay) for payload in (nil, *chain.from_iterable(cells))):
        return _UNCLEAR
    if len(set(locations)) < len(text.cells) or nil in locations:
        return CannotSay("the model's heap is not a heap")
    return Heap(cells, nil, text.sorts)


def _settled(evaluation: Evaluation, term: Term) -> Any:
    return settled(evaluation, term.sort, evaluation.apart(term))


# -- atoms -----------------------------------------------------------------------------------------


def _is_empty(evaluation: Evaluation, term: App, payloads: list[Any]) -> bool | CannotSay:
    del term, payloads
    heap = current(evaluation)
    return heap if isinstance(heap, CannotSay) else not heap.cells


def _nil(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    del payloads
    heap = current(evaluation)
    if isinstance(heap, CannotSay):
        return heap
    return heap.nil if term.sort is heap.sorts[0] else _UNCLEAR


def _points_to(evaluation: Evaluation, term: App, payloads: list[Any]) -> bool | CannotSay:
    heap = current(evaluation)
    if isinstance(heap, CannotSay):
        return heap
    cell = _cell(evaluation, heap, term, payloads)
    return cell if isinstance(cell, CannotSay) else bool(cell) and heap.cells == cell


def _cell(evaluation: Evaluation, heap: Heap, term: App, payloads: Sequence[Any]) -> Cells | CannotSay:
    """The heap in which a `pto` holds; empty if it holds in none, since the location is nil."""
    if tuple(arg.sort for arg in term.args) != heap.sorts:
        return _UNCLEAR
    values = [settled(evaluation, arg.sort, p) for arg, p in zip(term.args, payloads, strict=True)]
    for payload in values:
        if isinstance(payload, CannotSay):
            return CannotSay(payload.reason)  # not an open point: the value depends on the heap, too
    return frozenset() if values[0] == heap.nil else frozenset([(values[0], values[1])])


# -- connectives -----------------------------------------------------------------------------------


def _separate(evaluation: Evaluation, term: App) -> None:
    """Whether the heap can be split into one part for each argument."""
    _finish(evaluation, term, lambda heap: _splits(evaluation, heap, term.args))


def _extend(evaluation: Evaluation, term: App) -> None:
    """Whether each extension of the heap by one in which the first argument holds satisfies the second."""
    _finish(evaluation, term, lambda heap: _holds_extended(evaluation, heap, *term.args))


def _finish(evaluation: Evaluation, term: App, holds: Callable[[Heap], bool | CannotSay]) -> None:
    heap = current(evaluation)
    evaluation.todo.pop()
    answer = heap if isinstance(heap, CannotSay) else holds(heap)
    evaluation.finish(term, evaluation.here, answer)


def _splits(evaluation: Evaluation, heap: Heap, args: Sequence[Term]) -> bool | CannotSay:
    # What may be left of the heap for the arguments that follow: surely, and possibly.
    surely, possibly = {heap.cells}, {heap.cells}
    for arg in args:
        only = _only_heaps(evaluation, heap, arg)
        if only is None and len(heap.cells) > _MOST_CELLS:
            return CannotSay(f"a heap of more than {_MOST_CELLS} cells is split")
        parts = _parts(heap.cells) if only is None else (each for each in only if each <= heap.cells)
        holds = {part: _holds_in(evaluation, heap, part, arg) for part in parts}
        surely = {left - part for left in surely for part, h in holds.items() if h is True and part <= left}
        possibly = {
            left - part for left in possibly for part, h in holds.items() if h is not False and part <= left
        }
        if not possibly:
            return False
    if frozenset() in surely:
        return True
    return False if frozenset() not in possibly else _UNCLEAR


def _parts(cells: Cells) -> Iterator[Cells]:
    return (frozenset(some) for size in range(len(cells) + 1) for some in combinations(cells, size))


def _holds_in(evaluation: Evaluation, heap: Heap, cells: Cells, formula: Term) -> bool | CannotSay:
    truth: bool | CannotSay = evaluation.in_heap(replace(heap, cells=cells), formula)
    return CannotSay(truth.reason) if isinstance(truth, CannotSay) else truth


def _holds_extended(evaluation: Evaluation, heap: Heap, premise: Term, conclusion: Term) -> bool | CannotSay:
    only = _only_heaps(evaluation, heap, premise)
    is_complete = only is not None
    heaps = _small_heaps(evaluation, heap, (premise, conclusion)) if only is None else only
    locations = {location for location, _ in heap.cells}
    for extension in heaps:
        if any(location in locations for location, _ in extension):
            continue
        if (first := _holds_in(evaluation, heap, extension, premise)) is False:
            continue
        second = _holds_in(evaluation, heap, heap.cells | extension, conclusion)
        if first is True and second is False:
            return False
        is_complete = is_complete and second is True
    return True if is_complete else CannotSay("wand over heaps that cannot all be tried")


def _only_heaps(evaluation: Evaluation, heap: Heap, formula: Term) -> list[Cells] | None:
    """All heaps in which a formula may hold, if its shape determines them: `pto`, `sep.emp`, `sep` of
    these, and a conjunction with one of them.
    """
    is_and = isinstance(formula, App) and formula.head.text == "and"
    for part in formula.args if is_and and isinstance(formula, App) else (formula,):
        pieces = part.args if isinstance(part, App) and _name(part) == "sep" else (part,)
        heaps = [_only_heap(evaluation, heap, piece) for piece in pieces]
        if all(each is not None for each in heaps):
            return _joined([each for each in heaps if each is not None])
    return None


def _only_heap(evaluation: Evaluation, heap: Heap, atom: Term) -> list[Cells] | None:
    """The heap in which an atom holds, as a list of at most one."""
    if _name(atom) == "sep.emp":
        return [frozenset()]
    if _name(atom) != "pto" or not isinstance(atom, App):
        return None
    payloads = [evaluation.in_heap(heap, arg) for arg in atom.args]
    cell = _cell(evaluation, heap, atom, payloads)
    if isinstance(cell, CannotSay):
        return None
    return [cell] if cell else []


def _joined(choices: list[list[Cells]]) -> list[Cells]:
    """The one heap that consists of the given ones, if all exist and have no location in common."""
    if any(not each for each in choices):
        return []
    cells = [cell for (each,) in choices for cell in each]
    return [frozenset(cells)] if len({location for location, _ in cells}) == len(cells) else []


def _small_heaps(evaluation: Evaluation, heap: Heap, formulas: Iterable[Term]) -> Iterator[Cells]:
    """Heaps of at most two cells, of the locations and contents that occur in the heap and the formulas."""
    locations = dict.fromkeys(location for location, _ in heap.cells)
    contents = dict.fromkeys(value for _, value in heap.cells)
    for formula in formulas:
        for part in subterms(formula):
            if _name(part) == "pto" and isinstance(part, App) and part.args[0].sort is heap.sorts[0]:
                where, what = [settled(evaluation, a.sort, evaluation.in_heap(heap, a)) for a in part.args]
                locations.update({} if isinstance(where, CannotSay) else {where: None})
                contents.update({} if isinstance(what, CannotSay) else {what: None})
    locations.pop(heap.nil, None)
    cells = list(product(locations, contents))
    pairs = ([a, b] for a, b in combinations(cells, 2) if a[0] != b[0])
    every = chain([[]], ([cell] for cell in cells), pairs)
    return (frozenset(some) for some, _ in zip(every, range(_MOST_EXTENSIONS), strict=False))


SPATIAL_CONNECTIVES: Final = {"sep": _separate, "wand": _extend}
SPATIAL_ATOMS: Final = {"pto": _points_to, "sep.emp": _is_empty, "sep.nil": _nil}


def is_spatial_argument(args: Iterable[Term]) -> bool:
    """Whether an argument of a function depends on the heap; a defined function may look at it in another."""
    return any(arg.sort is BOOL and is_spatial(arg) for arg in args)
