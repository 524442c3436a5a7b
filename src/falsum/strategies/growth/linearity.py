"""Linearity: whether a script of a linear logic stays one when a term is replaced by another."""

from __future__ import annotations

from falsum.smtlib.logics import PRODUCTS, Logic
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.terms import App, Let, Term, Var, app


class Linearity:
    """The variables that are factors and that a `let` may have bound to a number: they must stay as they
    are.
    """

    def __init__(self, layout: Layout, logic: Logic) -> None:
        self._logic = logic
        self._factors = _factors(layout, logic) if logic.is_linear else frozenset[str]()

    def binds(self, layout: Layout, number: int) -> bool:
        """Whether a place is inside a product, or in a value that makes one linear, so that not every
        term fits.
        """
        return self._logic.is_linear and any(
            self._is_factor(around, slot) or (isinstance(around, App) and around.head.name in PRODUCTS)
            for around, slot in layout.around(number)
        )

    def keeps(self, layout: Layout, number: int, new: Term) -> bool:
        """Whether a term may stand at a place: no product there gets a second non-numeral factor."""
        if not self._logic.is_linear:
            return True
        # The new version of what encloses the place, as long as that may be a numeral; then nothing changes.
        replacement: Term | None = new
        for around, slot in layout.around(number):
            if self._is_factor(around, slot):
                return False
            if not isinstance(around, App) or around.head.name not in (*PRODUCTS, "-"):
                replacement = None
                continue
            args = (
                around.args
                if replacement is None
                else (*around.args[:slot], replacement, *around.args[slot + 1 :])
            )
            if around.head.name == "-":
                replacement = None if replacement is None else app(around.head, args)
            elif not (_allows(self._logic, around, around.args) and _allows(self._logic, around, args)):
                return False
            else:
                replacement = None
        return True

    def _is_factor(self, around: Term, slot: int) -> bool:
        """Whether a let binds a factor to its value at this slot."""
        return (
            isinstance(around, Let)
            and slot < len(around.values)
            and around.binders[slot].name in self._factors
        )


def _allows(logic: Logic, around: App, args: tuple[Term, ...]) -> bool:
    symbol = around.head.symbol
    return not isinstance(symbol, Operator) or logic.allows(symbol, args)


def _factors(layout: Layout, logic: Logic) -> frozenset[str]:
    """The variables in products that are linear only because of lets, and the variables they stand for."""
    operators_by_factor: dict[str, set[str]] = {}
    factors: set[str] = set()
    for number, place in enumerate(layout.places):
        if not isinstance(place.term, Var):
            continue
        for around, slot in layout.around(number):
            if isinstance(around, Let) and slot < len(around.values):
                operators_by_factor.setdefault(around.binders[slot].name, set()).add(place.term.name)
            elif isinstance(around, App) and not _allows(logic, around, around.args):
                factors.add(place.term.name)
    todo = sorted(factors)
    while todo:
        for name in sorted(operators_by_factor.get(todo.pop(), set()) - factors):
            factors.add(name)
            todo.append(name)
    return frozenset(factors)
