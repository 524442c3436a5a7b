"""Trivial atoms, which a simplifier decides immediately, and with them perhaps the whole mutant."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.laws import binary
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Annotated, App, Function, Term, Value, Var
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.derivatives import is_empty
from falsum.smtlib.values.regexes import Regex
from falsum.smtlib.walk import children, subterms

_CONNECTIVES: Final = frozenset(["and", "or", "not", "=>", "xor", "ite"])
_DECLARED: Final = "declared"
# A chain with more arguments is taken as one atom.
_MAX_ARGUMENTS: Final = 8
# Steps to find a word of a regular expression.
_STEPS: Final = 2000
_NO_MODEL: Final = Model()


class Triviality:
    """Recognises trivial atoms in the literals of one seed; caches which terms are ground."""

    def __init__(self) -> None:
        self._ground: dict[Term, bool] = {}

    def has_trivial_atom(self, new: Term, old: Term) -> bool:
        """Whether a formula has a trivial part that the old one does not have.

        An atom is trivial if it has no symbols, is about equal terms, or occurs twice, as in `(and p (not
        p))`.
        """
        todo = [new]
        seen: set[Term] = set()
        before: set[Term] | None = None
        while todo:
            part = todo.pop()
            if isinstance(part, Annotated):
                todo.append(part.body)
                continue
            is_decided = part.sort is BOOL and (part in seen or self.is_trivial(part))
            if is_decided:
                before = before if before is not None else {*subterms(old), *subterms(binary(old))}
                if part not in before or part in seen:
                    return True
            links = binary(part) if isinstance(part, App) and len(part.args) <= _MAX_ARGUMENTS else part
            if links is not part or (isinstance(part, App) and _is_connective(part)):
                todo.extend(children(links))  # a chain is the conjunction of its links
            else:
                seen.add(part)
        return False

    def is_trivial(self, atom: Term) -> bool:
        """Whether a Boolean term has no symbols, is about equal terms, or about an empty language."""
        if not isinstance(atom, App) or not atom.args:
            return isinstance(atom, Value)
        if isinstance(atom.head.symbol, Function) and atom.head.symbol.role == _DECLARED:
            return False
        if len(atom.args) > 2 and atom.args[0].sort is BOOL and atom.head.name == "distinct":
            return True
        if len(atom.args) == 2 and atom.args[0] is atom.args[1]:
            return True
        return self.is_ground(atom) or any(map(self._is_empty, atom.args))

    def _is_empty(self, term: Term) -> bool:
        """Whether a term is a regular expression that matches no word."""
        if kind_of(term.sort).is_first_class or not self.is_ground(term):
            return False
        regex = payload_of(term, _NO_MODEL, _STEPS)
        return isinstance(regex, Regex) and is_empty(regex, _STEPS) is True

    def is_ground(self, term: Term) -> bool:
        """Whether a term has no symbols and no variables."""
        ground = self._ground
        todo = [term]
        while todo:
            part = todo[-1]
            below = [child for child in children(part) if child not in ground]
            if below:
                todo.extend(below)
                continue
            todo.pop()
            is_symbol = isinstance(part, Var) or _is_free(part)
            ground[part] = not is_symbol and all(ground[child] for child in children(part))
        return ground[term]


def _is_free(term: Term) -> bool:
    """Whether a model chooses the meaning of the head; that of constructors, selectors and testers is
    fixed.
    """
    symbol = term.head.symbol if isinstance(term, App) else None
    return isinstance(symbol, Function) and symbol.role == _DECLARED


def _is_connective(term: App) -> bool:
    symbol = term.head.symbol
    if not isinstance(symbol, Operator) or not term.args:
        return False
    return symbol.canonical.name in _CONNECTIVES and term.sort is BOOL
