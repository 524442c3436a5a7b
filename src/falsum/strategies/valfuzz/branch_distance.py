"""Branch distances: how far a formula is from being true, and from being false, under a model.

0 is reached; otherwise the distance of an atom is between 0 and 1, by the values of its sides, and that of a
connective follows from its parts: of a conjunction that has to be true the sum, of a disjunction the least.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Annotated, App, Term

_CONNECTIVES: Final = frozenset(["and", "or", "not", "=>", "xor", "ite", "=", "distinct"])
_ORDERS: Final = frozenset(
    ["<", "<=", ">", ">=", *(f"bv{sign}{order}" for sign in "us" for order in ("lt", "le", "gt", "ge"))]
)


class BranchDistance(NamedTuple):
    """The distances of a formula from true and from false."""

    to_true: float
    to_false: float

    def to(self, *, value: bool) -> float:
        return self.to_true if value else self.to_false

    @property
    def negated(self) -> BranchDistance:
        return BranchDistance(self.to_false, self.to_true)


_FAR: Final = BranchDistance(1.0, 1.0)


def branch_distance(term: Term, evaluation: Evaluation) -> BranchDistance:
    """The distances of a formula; both are 1 for a part without a value."""
    distances: dict[Term, BranchDistance] = {}
    todo = [term]
    while todo:
        part = todo[-1]
        parts = _formulas(part)
        below = [one for one in parts if one not in distances]
        if below:
            todo.extend(below)
            continue
        todo.pop()
        if part not in distances:
            distances[part] = _combined(part, [distances[one] for one in parts], evaluation)
    return distances[term]


def sides_of(term: Term) -> list[tuple[Term, Term]]:
    """The pairs of terms that the atoms of a formula compare."""
    pairs = []
    seen = set()
    todo = [term]
    while todo:
        part = todo.pop()
        if part in seen:
            continue
        seen.add(part)
        inner = _formulas(part)
        todo.extend(inner)
        if not inner and isinstance(part, App) and len(part.args) == 2:
            first, second = part.args
            if first.sort is second.sort:
                pairs.append((first, second))
    return pairs


def _formulas(term: Term) -> tuple[Term, ...]:
    """The formulas that a formula consists of; none of an atom."""
    if isinstance(term, Annotated):
        return (term.body,)
    if not isinstance(term, App) or not isinstance(term.head.symbol, Operator):
        return ()
    is_connective = term.head.symbol.canonical.name in _CONNECTIVES
    return term.args if is_connective and all(arg.sort is BOOL for arg in term.args) else ()


def _combined(term: Term, parts: list[BranchDistance], evaluation: Evaluation) -> BranchDistance:
    if not parts:
        return _of_atom(term, evaluation)
    if isinstance(term, Annotated):
        return parts[0]
    assert isinstance(term, App)
    assert isinstance(term.head.symbol, Operator)
    return _COMBINED[term.head.symbol.canonical.name](parts)


def _conjunction(parts: list[BranchDistance]) -> BranchDistance:
    return BranchDistance(sum(one.to_true for one in parts), min(one.to_false for one in parts))


def _disjunction(parts: list[BranchDistance]) -> BranchDistance:
    return _conjunction([one.negated for one in parts]).negated


def _implication(parts: list[BranchDistance]) -> BranchDistance:
    return _disjunction([*(one.negated for one in parts[:-1]), parts[-1]])


def _difference(parts: list[BranchDistance]) -> BranchDistance:
    distance = parts[0]
    for one in parts[1:]:
        distance = _equality([distance, one]).negated
    return distance


def _equality(parts: list[BranchDistance]) -> BranchDistance:
    all_false = [one.negated for one in parts]
    return _disjunction([_conjunction(parts), _conjunction(all_false)])


def _distinctness(parts: list[BranchDistance]) -> BranchDistance:
    return _equality(parts).negated if len(parts) == 2 else BranchDistance(1.0, 0.0)


def _choice(parts: list[BranchDistance]) -> BranchDistance:
    test, then, other = parts
    return _disjunction([_conjunction([test, then]), _conjunction([test.negated, other])])


_COMBINED: Final[dict[str, Callable[[list[BranchDistance]], BranchDistance]]] = {
    "and": _conjunction,
    "or": _disjunction,
    "not": lambda parts: parts[0].negated,
    "=>": _implication,
    "xor": _difference,
    "=": _equality,
    "distinct": _distinctness,
    "ite": _choice,
}


def _of_atom(term: Term, evaluation: Evaluation) -> BranchDistance:
    holds = evaluation.run(term)
    if not isinstance(holds, bool):
        return _FAR
    gap = 1.0
    if isinstance(term, App) and len(term.args) == 2:
        name = term.head.name
        if name in _ORDERS or (name == "=" and not holds) or (name == "distinct" and holds):
            left, right = (evaluation.run(arg) for arg in term.args)
            gap = apart(left, right)
    return BranchDistance(0.0, gap) if holds else BranchDistance(gap, 0.0)


def apart(left: Any, right: Any) -> float:
    """The distance of two values of one sort, between 0 and 1; 1 if it cannot be measured."""
    if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        return _scaled(abs(Fraction(left) - Fraction(right)))
    if isinstance(left, str) and isinstance(right, str):
        differing = sum(one != other for one, other in zip(left, right, strict=False))
        return _scaled(abs(len(left) - len(right)) + differing)
    return 1.0


def _scaled(difference: Fraction | int) -> float:
    """A difference scaled to less than 1, about logarithmically; above 0 even for no difference."""
    whole = int(difference)
    bits = whole.bit_length()
    size = bits + float(Fraction(whole, 1 << bits)) + float(difference - whole) / 2
    return (0.5 + size) / (1.5 + size)
