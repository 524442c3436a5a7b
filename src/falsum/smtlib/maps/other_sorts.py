"""OtherSorts: a script with other sorts in place of its own, everywhere; values and indices follow"""

from __future__ import annotations

from collections.abc import Iterator

from falsum.smtlib.maps.command_terms import terms_of
from falsum.smtlib.maps.script_map import ScriptMap, UnmappableError
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.values_as_terms import value_of
from falsum.smtlib.scripts import Command, DeclareFun, DeclareSort, Script
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Head, Lambda, Quantifier, Term, Value
from falsum.smtlib.theories import kind_of
from falsum.smtlib.walk import subterms


def sorts_of(script: Script) -> tuple[Sort, ...]:
    """The sorts that a script declares or uses; a declared one may occur in a datatype only."""
    commands = script.commands
    sorts = dict.fromkeys(Sort(c.name) for c in commands if isinstance(c, DeclareSort) and c.arity == 0)
    for command in commands:
        if isinstance(command, DeclareFun):
            sorts.update(dict.fromkeys((*command.function.args, command.function.result)))
        for term in (part for whole in terms_of(command) for part in subterms(whole)):
            sorts[term.sort] = None
            if isinstance(term, Quantifier | Lambda):
                sorts.update(dict.fromkeys(binder.sort for binder in term.binders))
    todo = list(sorts)
    while todo:
        for arg in todo.pop().args:
            if arg not in sorts:
                sorts[arg] = None
                todo.append(arg)
    return tuple(sorts)


class OtherSorts(ScriptMap):
    """Replaces sorts, also inside other sorts, and adapts values and indices."""

    def __init__(self, change: dict[Sort, Sort]) -> None:
        super().__init__()
        self._change = dict(change)

    def sort(self, sort: Sort) -> Sort:
        replacement = self._change.get(sort)
        if replacement is None:
            inner = tuple(map(self.sort, sort.args))
            same = all(new is old for new, old in zip(inner, sort.args, strict=True))
            replacement = self._change[sort] = sort if same else Sort(sort.name, sort.indices, inner)
        return replacement

    def value(self, term: Value) -> Term:
        new = self.sort(term.sort)
        if new is term.sort:
            return term
        adapted = kind_of(new).convert
        payload = None if adapted is None else adapted(term.sort, new, term.payload)
        new_value = None if payload is None else value_of(new, payload)
        if new_value is None:
            raise UnmappableError
        return new_value

    def operator_head(self, term: App, args: tuple[Term, ...]) -> Head:
        head = super().operator_head(term, args)
        sorts = tuple(arg.sort for arg in args)
        target_sort = self.sort(term.sort)
        if not head.indices or head.rank(sorts) is target_sort:
            return head
        assert isinstance(head.symbol, Operator)
        for indices in _fitting(head.symbol.canonical.name, sorts, target_sort):
            other = Head(head.symbol, indices, head.qualifier)
            if min(indices) >= 0 and other.rank(sorts) is target_sort:
                return other
        raise UnmappableError

    def command(self, command: Command) -> Command | None:
        if isinstance(command, DeclareSort) and self.sort(Sort(command.name)).name != command.name:
            return None
        return super().command(command)


def _fitting(name: str, sorts: tuple[Sort, ...], target: Sort) -> Iterator[tuple[int, ...]]:
    """Indices for which an operator may give the wanted sort from arguments of these sorts."""
    numbers = [index for index in target.indices if isinstance(index, int)]
    if numbers:
        yield tuple(numbers)
    if len(numbers) == 1 and len(sorts) == 1 and len(sorts[0].indices) == 1:
        (width,), (actual,) = numbers, sorts[0].indices
        assert isinstance(actual, int)
        if name == "extract":
            yield width - 1, 0
        yield (width - actual,)
        yield (width // actual,)
