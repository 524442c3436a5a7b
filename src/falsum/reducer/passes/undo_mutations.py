"""Undoes mutations. Guided: made for one reduction, from a mutant and the seed it was made from."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, ReplaceTerm
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes.protocol import rank_by_size
from falsum.smtlib import print_term
from falsum.smtlib.maps.command_terms import Key, declared_by, used_by
from falsum.smtlib.scripts import Assert, Script
from falsum.smtlib.terms import App, Function, Lambda, Let, Match, Quantifier, Term
from falsum.smtlib.theories import SORTS
from falsum.smtlib.walk import children, free_variable_table

# Roles of functions that the script itself introduces.
_INTRODUCED = frozenset({"declared", "defined", "named"})


class UndoMutations:
    """With the seed `(assert (< x 1))`: `(assert (< (+ x y) 1))` → `(assert (< x 1))`.

    Seed and mutant are compared; where they differ, the seed's term may replace the mutant's, if that makes
    the script smaller and every symbol of it is declared. In later scripts the same terms are looked for.
    """

    name = "undo-mutations"

    def __init__(self, mutant: Script, seed: Script) -> None:
        self.originals = _differences(seed, mutant)

    def edits(self, outline: Outline) -> Iterator[Edit]:
        if not self.originals:
            return
        keys = {key for command in outline.script.commands for key in declared_by(command)}
        measurer = Measurer()
        for place, term in outline.terms():
            old = self.originals.get(term)
            if old is None or not _is_smaller(measurer, old, term):
                continue
            if _is_declared(old, keys) and _is_bound(outline, place, old):
                yield ReplaceTerm(place, old, rank=rank_by_size(outline.sizes[place]))


def _differences(seed: Script, mutant: Script) -> dict[Term, Term]:
    """Maps terms of the mutant to the terms of the seed they replaced."""
    olds = [command.term for command in seed.commands if isinstance(command, Assert)]
    news = [command.term for command in mutant.commands if isinstance(command, Assert)]
    if len(olds) != len(news):
        return {}
    pairs: dict[Term, Term] = {}
    todo = list(zip(olds, news, strict=True))[::-1]
    while todo:
        old, new = todo.pop()
        if old is new:
            continue
        if _same_shape(old, new):
            todo.extend(zip(children(old)[::-1], children(new)[::-1], strict=True))
        elif old.sort is new.sort:
            pairs.setdefault(new, old)
    return pairs


def _same_shape(old: Term, new: Term) -> bool:
    if type(old) is not type(new) or len(children(old)) != len(children(new)) or not children(old):
        return False
    if isinstance(old, App) and isinstance(new, App):
        return old.head == new.head
    if isinstance(old, Quantifier | Let | Lambda) and isinstance(new, Quantifier | Let | Lambda):
        return old.binders == new.binders
    return not isinstance(old, Match)


def _is_smaller(measurer: Measurer, old: Term, new: Term) -> bool:
    before, after = measurer.term_weight(new), measurer.term_weight(old)
    return after < before or (after == before and len(print_term(old)) < len(print_term(new)))


def _is_declared(term: Term, keys: set[Key]) -> bool:
    for key in used_by(Assert(term)):
        is_builtin = key.role not in _INTRODUCED if isinstance(key, Function) else key in SORTS
        if not is_builtin and key not in keys:
            return False
    return True


def _is_bound(outline: Outline, place: int, term: Term) -> bool:
    """Whether every variable free in the term is bound around the place."""
    around = {variable.name: variable for variable in outline.variables(place, len(outline.frame_table))}
    return all(around.get(v.name) is v for v in free_variable_table(term)[term])
