"""Logics: what a logic's name allows, so that a mutant does not leave its logic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App, Term, Value

# Operators whose arguments decide whether a term is linear.
PRODUCTS = frozenset(["*", "/", "div", "mod", "divisible", "**", "^"])


@dataclass(frozen=True, slots=True)
class Logic:
    """A logic by its name; an unknown or missing name allows everything."""

    name: str
    is_linear: bool
    is_difference: bool
    is_real: bool  # reals and no integers

    def allows(self, operator: Operator, args: tuple[Term, ...]) -> bool:
        """Whether a solver that insists on the logic takes the application."""
        name = operator.canonical.name
        if self.is_real and name in ("is_int", "to_int", "to_real"):
            return False
        if not self.is_linear:
            return True
        if name == "*":
            return sum(not _is_number(arg) for arg in args) <= 1
        if name in PRODUCTS:
            return all(_is_number(arg, nonzero=True) for arg in args[1:])
        return True

    @property
    def widened(self) -> str:
        """The same logic without the restriction to differences, which any mutation breaks."""
        return self.name.replace("IDL", "LIA").replace("RDL", "LRA") if self.is_difference else self.name


@lru_cache(maxsize=1024)
def logic_of(name: str) -> Logic:
    rest = name.removeprefix("HO_").removeprefix("QF_")
    difference = rest.endswith(("IDL", "RDL"))
    linear = difference or rest.endswith(("LIA", "LRA", "LIRA"))
    real = rest.endswith(("RA", "RDL")) and not rest.endswith("IRA")
    return Logic(name, linear, difference, real)


def _is_number(term: Term, *, nonzero: bool = False) -> bool:
    if isinstance(term, Value):
        return not nonzero or term.payload != 0
    # A negative number is written as an application.
    return (
        isinstance(term, App)
        and term.head.name == "-"
        and all(_is_number(arg, nonzero=nonzero) for arg in term.args)
    )
