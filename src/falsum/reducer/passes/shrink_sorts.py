"""Replaces a sort by a smaller one in the whole script: bit-widths, float formats, declared sorts, reals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd
from typing import Final

from falsum.reducer.edits import Edit, ReplaceScript
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.script_map import ScriptMap, UnmappableError
from falsum.reducer.simple_terms import operator_name, value_of
from falsum.smtlib.printing.values_as_terms import write_value
from falsum.smtlib.sampling import corners
from falsum.smtlib.scripts import Command, DeclareFun, DeclareSort
from falsum.smtlib.sorts import BOOL, INT, REAL, Sort, bitvec, floating_point
from falsum.smtlib.terms import App, Head, Lambda, Quantifier, Term, Value

_WIDTHS: Final = (1, 2, 4, 8)
_FORMATS: Final = ((2, 3), (3, 5), (5, 11))


class ShrinkSorts:
    """`(declare-fun x () (_ BitVec 32)) (assert (= x #x00000001))`
    → `(declare-fun x () (_ BitVec 1)) (assert (= x #b1))`.

    All widths in proportion, one width or format at a time, a declared sort by `Int`, `Real` by `Int`.
    """

    name = "shrink-sorts"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        measurer = Measurer()
        now = measurer.measure(outline.script)
        for rank, change in enumerate(_changes(outline)):
            made = _Resorting(change).script(outline.script)
            if made is not None and measurer.weight(made) <= now.weight and measurer.measure(made) < now:
                yield ReplaceScript(made, rank)


def _changes(outline: Outline) -> Iterator[dict[Sort, Sort]]:
    sorts = _sorts(outline)
    widths = sorted({w for s in sorts if s.name == "BitVec" for w in s.indices if isinstance(w, int)})
    common = gcd(*widths) if widths else 1
    if common > 1:
        yield {bitvec(width): bitvec(width // common) for width in widths}
    for width in reversed(widths):
        smaller = dict.fromkeys((*_WIDTHS, width // 2, width - 1))
        yield from ({bitvec(width): bitvec(new)} for new in smaller if 0 < new < width)
    for sort in sorts:
        if sort.name == "FloatingPoint":
            size = sum(index for index in sort.indices if isinstance(index, int))
            yield from ({sort: floating_point(*new)} for new in _FORMATS if sum(new) < size)
    for command in outline.script.commands:
        if isinstance(command, DeclareSort) and command.arity == 0:
            yield {Sort(command.name): INT}
    if REAL in sorts:
        yield {REAL: INT}
    arrays = [sort for sort in sorts if sort.name == "Array" and len(sort.args) == 2]
    for sort in arrays:
        for slot in (0, 1):
            other = tuple(BOOL if n == slot else arg for n, arg in enumerate(sort.args))
            yield {sort: Sort("Array", (), other), sort.args[slot]: BOOL}


def _sorts(outline: Outline) -> dict[Sort, None]:
    found: dict[Sort, None] = {}
    for command in outline.script.commands:
        if isinstance(command, DeclareFun):
            found.update(dict.fromkeys((*command.function.args, command.function.result)))
    for _, term in outline.terms():
        found[term.sort] = None
        if isinstance(term, Quantifier | Lambda):
            found.update(dict.fromkeys(binder.sort for binder in term.binders))
    todo = list(found)
    while todo:
        for arg in todo.pop().args:
            if arg not in found:
                found[arg] = None
                todo.append(arg)
    return found


class _Resorting(ScriptMap):
    """Replaces sorts, also inside other sorts, and adapts values and indices."""

    def __init__(self, change: dict[Sort, Sort]) -> None:
        super().__init__()
        self._change = dict(change)

    def sort(self, sort: Sort) -> Sort:
        known = self._change.get(sort)
        if known is None:
            inner = tuple(map(self.sort, sort.args))
            same = all(new is old for new, old in zip(inner, sort.args, strict=True))
            known = self._change[sort] = sort if same else Sort(sort.name, sort.indices, inner)
        return known

    def value(self, term: Value) -> Term:
        new = self.sort(term.sort)
        if new is term.sort:
            return term
        made: Term | None = None
        if new.name == "BitVec" and isinstance(term.payload, int):
            (width,) = new.indices
            assert isinstance(width, int)
            made = value_of(new, term.payload & ((1 << width) - 1))
        elif new is INT and isinstance(term.payload, Fraction):
            made = value_of(new, int(abs(term.payload)))
        elif new.name == "FloatingPoint":
            # Corner cases of the two formats correspond; any other value becomes zero.
            pairs = zip(corners(term.sort), corners(new), strict=False)
            made = write_value(new, next((b for a, b in pairs if a == term.payload), corners(new)[0]))
        elif new is BOOL:
            made = write_value(BOOL, bool(term.payload))
        if made is None:
            raise UnmappableError
        return made

    def operator_head(self, term: App, args: tuple[Term, ...]) -> Head:
        head = super().operator_head(term, args)
        sorts = tuple(arg.sort for arg in args)
        wanted = self.sort(term.sort)
        if not head.indices or head.rank(sorts) is wanted:
            return head
        for indices in _fitting(operator_name(term), sorts, wanted):
            other = Head(head.symbol, indices, head.qualifier)
            if min(indices) >= 0 and other.rank(sorts) is wanted:
                return other
        raise UnmappableError

    def command(self, command: Command) -> Command | None:
        if isinstance(command, DeclareSort) and self.sort(Sort(command.name)).name != command.name:
            return None
        return super().command(command)


def _fitting(name: str, sorts: tuple[Sort, ...], wanted: Sort) -> Iterator[tuple[int, ...]]:
    """Indices for which an operator may give the wanted sort from arguments of these sorts."""
    numbers = [index for index in wanted.indices if isinstance(index, int)]
    if wanted.name == "FloatingPoint":
        yield tuple(numbers)
    if len(numbers) != 1:
        return
    width = numbers[0]
    yield (width,)
    if len(sorts) == 1 and sorts[0].name == "BitVec":
        (given,) = sorts[0].indices
        assert isinstance(given, int)
        if name == "extract":
            yield width - 1, 0
        yield (width - given,)
        yield (width // given,)
