"""Linear formulas over integers and reals, and the elimination of variables from them.

A formula is in negation normal form: a conjunction or disjunction of formulas, or an atom, which compares a
linear polynomial with zero or says that a number divides it. Reals are eliminated by virtual substitution
(Loos and Weispfenning), integers by Cooper's method; both may need many steps, which a budget limits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Final, NamedTuple, TypeAlias

# Integers wherever they will do: arithmetic with them is many times faster.
Rational: TypeAlias = "int | Fraction"


class Variable(NamedTuple):
    """A variable; names are unique in a formula."""

    name: Hashable
    is_int: bool


class Linear(NamedTuple):
    """A linear polynomial: coefficients that are not zero, in a fixed order, and a constant."""

    terms: tuple[tuple[Variable, Rational], ...]
    constant: Rational

    def coefficient(self, variable: Variable) -> Rational:
        for of, coefficient in self.terms:
            if of == variable:
                return coefficient
        return 0


class Atom(NamedTuple):
    """`polynomial relation 0`; for the relations `|` and `!|`, whether `divisor` divides the polynomial."""

    relation: str
    polynomial: Linear
    divisor: int = 0


class Junction(NamedTuple):
    """A conjunction or a disjunction of two or more formulas."""

    is_and: bool
    parts: tuple[Formula, ...]


Formula: TypeAlias = "bool | Atom | Junction"
_NEGATED: Final = {"<": ">=", "<=": ">", "=": "!=", "!=": "=", ">": "<=", ">=": "<", "|": "!|", "!|": "|"}


class TooLargeError(Exception):
    """The elimination would take too many steps, or is not possible."""


class AtomBudget:
    """The number of atoms that an elimination may make."""

    def __init__(self, atoms: int) -> None:
        self.atoms = atoms

    def spend(self, count: int = 1) -> None:
        self.atoms -= count
        if self.atoms < 0:
            raise TooLargeError


# -- polynomials -------------------------------------------------------------------------------------


def constant(number: Rational) -> Linear:
    return Linear((), _plain(number))


def variable(of: Variable) -> Linear:
    return Linear(((of, 1),), 0)


def combine(parts: Iterable[tuple[Rational, Linear]]) -> Linear:
    """The sum of multiples of polynomials."""
    total: dict[Variable, Rational] = {}
    number: Rational = 0
    for factor, part in parts:
        number += factor * part.constant
        for of, coefficient in part.terms:
            total[of] = total.get(of, 0) + factor * coefficient
    terms = [(of, _plain(coefficient)) for of, coefficient in total.items() if coefficient]
    if len(terms) > 1:
        terms.sort(key=_order)
    return Linear(tuple(terms), _plain(number))


def _plain(number: Rational) -> Rational:
    return number.numerator if number.denominator == 1 else number


def _order(item: tuple[Variable, Rational]) -> str:
    return _name(item[0])


@lru_cache(maxsize=4096)
def _name(of: Variable) -> str:
    return repr(of)


def _substituted(polynomial: Linear, of: Variable, by: Linear) -> Linear:
    coefficient = polynomial.coefficient(of)
    rest = Linear(tuple(item for item in polynomial.terms if item[0] != of), polynomial.constant)
    return combine(((1, rest), (coefficient, by)))


# -- formulas ----------------------------------------------------------------------------------------

_HOLDS: Final[dict[str, Callable[[Rational], bool]]] = {
    "<": lambda n: n < 0,
    "<=": lambda n: n <= 0,
    "=": lambda n: n == 0,
    "!=": lambda n: n != 0,
    ">": lambda n: n > 0,
    ">=": lambda n: n >= 0,
}


def atom(relation: str, polynomial: Linear, divisor: int = 0) -> Formula:
    """The atom in normal form: `<`, `<=`, `=`, `!=`, `|` and `!|` remain, and constants are decided."""
    if relation in (">", ">="):
        relation = "<" if relation == ">" else "<="
        polynomial = combine(((-1, polynomial),))
    if not polynomial.terms:
        number = polynomial.constant
        if relation in ("|", "!|"):
            return (number.denominator == 1 and number % divisor == 0) is (relation == "|")
        return _HOLDS[relation](number)
    if all(of.is_int for of, _ in polynomial.terms):
        return _integer_atom(relation, polynomial, divisor)
    return Atom(relation, polynomial, divisor)


def _integer_atom(relation: str, polynomial: Linear, divisor: int) -> Formula:
    """The atom with coprime integer coefficients; `<` is replaced by `<=`."""
    scale = lcm(polynomial.constant.denominator, *(c.denominator for _, c in polynomial.terms))
    terms = [(of, int(c * scale)) for of, c in polynomial.terms]
    number = int(polynomial.constant * scale)
    if relation in ("|", "!|"):
        divisor *= scale
        reduced = tuple((of, c % divisor) for of, c in terms if c % divisor)
        divided = Linear(reduced, number % divisor)
        return Atom(relation, divided, divisor) if reduced else atom(relation, divided, divisor)
    common = gcd(*(c for _, c in terms))
    coefficients = tuple((of, c // common) for of, c in terms)
    if relation in ("=", "!="):
        if number % common:
            return relation == "!="
        return Atom(relation, Linear(coefficients, number // common))
    # The largest integer that is allowed.
    most = -(number // common) - 1 if relation == "<" else -number // common
    return Atom("<=", Linear(coefficients, -most))


def negation(formula: Formula) -> Formula:
    """Recursive, but formulas are no deeper than the small terms they are made from."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, Atom):
        return atom(_NEGATED[formula.relation], formula.polynomial, formula.divisor)
    return junction(not formula.is_and, [negation(part) for part in formula.parts])


def junction(is_and: bool, parts: Iterable[Formula]) -> Formula:
    members: dict[Formula, None] = {}
    for part in parts:
        if isinstance(part, bool):
            if part is not is_and:
                return not is_and
        elif isinstance(part, Junction) and part.is_and is is_and:
            members.update(dict.fromkeys(part.parts))
        else:
            members[part] = None
    if len(members) <= 1:
        return next(iter(members), is_and)
    return Junction(is_and, tuple(members))


def _mapped(formula: Formula, change: Callable[[Atom], Formula], budget: AtomBudget) -> Formula:
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Atom):
        budget.spend()
        return change(formula)
    parts = []
    for part in formula.parts:
        parts.append(_mapped(part, change, budget))
        if parts[-1] is (not formula.is_and):
            return not formula.is_and
    return junction(formula.is_and, parts)


def _atoms(formula: Formula) -> list[Atom]:
    atoms: list[Atom] = []
    todo = [formula]
    while todo:
        part = todo.pop()
        if isinstance(part, Atom):
            atoms.append(part)
        elif isinstance(part, Junction):
            todo.extend(reversed(part.parts))
    return atoms


def variables(formula: Formula) -> dict[Variable, None]:
    return {of: None for one in _atoms(formula) for of, _ in one.polynomial.terms}


# -- elimination -------------------------------------------------------------------------------------


def exists(of: Variable, formula: Formula, budget: AtomBudget) -> Formula:
    """An equivalent of "there is a value of the variable such that the formula holds", without it."""
    if isinstance(formula, bool):
        return formula
    budget.spend(1 + (len(_atoms(formula)) >> 1))
    if of not in variables(formula):
        return formula
    if isinstance(formula, Junction) and not formula.is_and:
        parts: list[Formula] = []
        for part in formula.parts:
            parts.append(exists(of, part, budget))
            if parts[-1] is True:
                return True
        return junction(is_and=False, parts=parts)
    if isinstance(formula, Junction):
        apart = [part for part in formula.parts if of not in variables(part)]
        inside = [part for part in formula.parts if of in variables(part)]
        if apart:
            return junction(True, [*apart, exists(of, junction(True, inside), budget)])
        for part in inside:
            if isinstance(part, Atom) and part.relation == "=" and _is_solvable(of, part.polynomial):
                return substituted(formula, {of: _solution(of, part.polynomial)}, budget)
    return _integer(of, formula, budget) if of.is_int else _real(of, formula, budget)


def _is_solvable(of: Variable, polynomial: Linear) -> bool:
    """Whether an equation gives the variable for every value of the others."""
    return not of.is_int or (
        abs(polynomial.coefficient(of)) == 1 and all(v.is_int for v, _ in polynomial.terms)
    )


def _solution(of: Variable, polynomial: Linear) -> Linear:
    factor = _plain(Fraction(-1) / polynomial.coefficient(of))
    return _substituted(combine(((factor, polynomial),)), of, constant(0))


def substituted(formula: Formula, by: Mapping[Variable, Linear], budget: AtomBudget) -> Formula:
    def change(one: Atom) -> Formula:
        polynomial = one.polynomial
        for of, value in by.items():
            if polynomial.coefficient(of):
                polynomial = _substituted(polynomial, of, value)
        return atom(one.relation, polynomial, one.divisor)

    return _mapped(formula, change, budget)


def _real(of: Variable, formula: Formula, budget: AtomBudget) -> Formula:
    """Virtual substitution: the lower bounds, the points just above them, and minus infinity."""
    formulas: list[Formula] = [_mapped(formula, lambda one: _below_all(of, one), budget)]
    points: dict[tuple[Linear, bool], None] = {}
    for one in _atoms(formula):
        coefficient = one.polynomial.coefficient(of)
        if one.relation in ("|", "!|") and coefficient:
            raise TooLargeError
        if coefficient and (coefficient < 0 or one.relation in ("=", "!=")):
            points[_solution(of, one.polynomial), one.relation in ("<", "!=")] = None
    for point, is_above in points:
        if is_above:
            formulas.append(_mapped(formula, lambda one, p=point: _just_above(of, p, one), budget))  # type: ignore[misc]
        else:
            formulas.append(substituted(formula, {of: point}, budget))
        if formulas[-1] is True:
            return True
    return junction(is_and=False, parts=formulas)


def _below_all(of: Variable, one: Atom) -> Formula:
    """The value of an atom for a variable below every bound."""
    coefficient = one.polynomial.coefficient(of)
    if not coefficient or one.relation in ("|", "!|"):
        return one
    return coefficient > 0 if one.relation in ("<", "<=") else one.relation == "!="


def _just_above(of: Variable, point: Linear, one: Atom) -> Formula:
    coefficient = one.polynomial.coefficient(of)
    if not coefficient:
        return one
    if one.relation in ("=", "!="):
        return one.relation == "!="
    polynomial = _substituted(one.polynomial, of, point)
    return atom("<" if coefficient > 0 else "<=", polynomial)


def _integer(of: Variable, formula: Formula, budget: AtomBudget) -> Formula:
    """Cooper's method."""
    atoms = [one for one in _atoms(formula) if one.polynomial.coefficient(of)]
    if not all(v.is_int for one in atoms for v, _ in one.polynomial.terms):
        raise TooLargeError
    scale = lcm(*(one.polynomial.coefficient(of).numerator for one in atoms))

    def unit(one: Atom) -> Formula:
        """The atom about `scale` times the variable, for which the variable now stands."""
        coefficient = one.polynomial.coefficient(of)
        if not coefficient:
            return one
        factor = scale // abs(coefficient.numerator)
        terms = [(v, c * factor) for v, c in one.polynomial.terms if v != of]
        rest = Linear(tuple(terms), one.polynomial.constant * factor)
        polynomial = combine(((1, rest), (1 if coefficient > 0 else -1, variable(of))))
        # Not reduced: the coefficient of the variable has to stay 1.
        return Atom(one.relation, polynomial, one.divisor * factor)

    if scale > budget.atoms:
        raise TooLargeError
    body = _mapped(formula, unit, budget)
    if scale > 1:
        body = junction(True, [body, Atom("|", variable(of), scale)])
    period = lcm(1, *(one.divisor for one in _atoms(body) if one.divisor and one.polynomial.coefficient(of)))
    budget.spend(period)
    low = _mapped(body, lambda one: _below_all(of, one), budget)
    bounds: dict[Linear, None] = {}
    for one in _atoms(body):
        coefficient = one.polynomial.coefficient(of)
        if coefficient and one.relation not in ("|", "!|") and (coefficient < 0 or one.relation != "<="):
            less = 0 if one.relation == "!=" else -1
            solution = _solution(of, one.polynomial)
            bounds[Linear(solution.terms, solution.constant + less)] = None
    formulas: list[Formula] = []
    for step in range(1, period + 1):
        formulas.append(substituted(low, {of: constant(step)}, budget))
        for bound in bounds:
            point = Linear(bound.terms, bound.constant + step)
            formulas.append(substituted(body, {of: point}, budget))
            if formulas[-1] is True:
                return True
    return junction(is_and=False, parts=formulas)
