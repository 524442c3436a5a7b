"""Replaces a sort by a smaller one in the whole script: bit-widths, float formats, declared sorts, reals."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, ReplaceScript
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.script_map import ScriptMap, UnmappableError
from falsum.reducer.simple_terms import operator_name, value_of
from falsum.smtlib.logic_coverage import keeps_to_logic
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.scripts import Command, DeclareFun, DeclareSort
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Head, Lambda, Quantifier, Term, Value
from falsum.smtlib.theories import SORTS, kind_of
from falsum.smtlib.theories.declared import DECLARED


class ShrinkSorts:
    """`(declare-fun x () (_ BitVec 32)) (assert (= x #x00000001))`
    → `(declare-fun x () (_ BitVec 1)) (assert (= x #b1))`.

    All widths in proportion, one width or format at a time, a declared sort by `Int`, `Real` by `Int`.
    """

    name = "shrink-sorts"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        measurer = Measurer()
        now = measurer.measure(outline.script)
        was_legal = keeps_to_logic(outline.script)
        for rank, change in enumerate(_changes(outline)):
            made = _Resorting(change).script(outline.script)
            if made is not None and was_legal and not keeps_to_logic(made):
                continue
            if made is not None and measurer.weight(made) <= now.weight and measurer.measure(made) < now:
                yield ReplaceScript(made, rank)


def _changes(outline: Outline) -> Iterator[dict[Sort, Sort]]:
    """What the kinds of the script's sorts propose, kind by kind."""
    datatypes = bare_model(outline.script).datatypes
    by_kind: dict[SortKind, list[Sort]] = {kind: [] for kind in (*SORTS.values(), DECLARED)}
    for sort in _sorts(outline):
        by_kind.setdefault(kind_of(sort, datatypes), []).append(sort)
    for kind, sorts in by_kind.items():
        if sorts and kind.smaller_sorts is not None:
            yield from kind.smaller_sorts(sorts)


def _sorts(outline: Outline) -> dict[Sort, None]:
    """The sorts that a script declares or uses; a declared one may occur in a datatype only."""
    commands = outline.script.commands
    found = dict.fromkeys(Sort(c.name) for c in commands if isinstance(c, DeclareSort) and c.arity == 0)
    for command in commands:
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
        adapted = kind_of(new).convert
        payload = None if adapted is None else adapted(term.sort, new, term.payload)
        made = None if payload is None else value_of(new, payload)
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
    if numbers:
        yield tuple(numbers)
    if len(numbers) == 1 and len(sorts) == 1 and len(sorts[0].indices) == 1:
        (width,), (given,) = numbers, sorts[0].indices
        assert isinstance(given, int)
        if name == "extract":
            yield width - 1, 0
        yield (width - given,)
        yield (width // given,)
