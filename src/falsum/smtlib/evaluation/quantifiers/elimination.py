"""Decides quantifiers over integers and reals whose bodies are linear under the model.

The body becomes a linear formula: parts without bound variables are evaluated, functions of the model are
unfolded, and variables with few values are replaced by each of them. Then the variables are eliminated one
after the other. Large and deep bodies are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, pairwise, product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from falsum.smtlib.evaluation.quantifiers.linear_terms import LINEAR, compared, rational
from falsum.smtlib.models.model import Definition
from falsum.smtlib.sorts import BOOL, INT, REAL, Sort
from falsum.smtlib.terms import Annotated, App, Function, Let, Quantifier, Term, Var
from falsum.smtlib.theories.meanings import numbers
from falsum.smtlib.values import linear
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.values.linear import AtomBudget, Formula, TooLargeError
from falsum.smtlib.walk import children, free_variable_table

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

_MOST_ATOMS: Final = 10_000
# The steps of an evaluation that an atom costs.
_PRICE: Final = 16
_MOST_NODES: Final = 2_000
_DEEPEST: Final = 100
_MOST_CALLS: Final = 12
# Variables with at most so many values are replaced by them.
_FEWLINEAR: Final = 16
_MOST_CASES: Final = 64

# The value of a term in each of several cases that exclude each other: a polynomial, or a payload.
Cases: TypeAlias = "list[tuple[Formula, Any]]"


def decided(evaluation: Evaluation, term: Quantifier) -> bool | None:
    """Whether a quantifier holds; None if its body is not linear, or too large."""
    if not all(_may_be_eliminated(evaluation, binder.sort) for binder in term.binders) or _is_large(term):
        return None
    outer = {var: bound[1] for var, bound in evaluation.bindings.items() if bound[0] in evaluation.alive}
    most = min(_MOST_ATOMS, evaluation.steps // _PRICE)
    budget = AtomBudget(most)
    try:
        formula = _Translation(evaluation, budget).formula(term, dict(outer))
    except TooLargeError:
        return None
    finally:
        evaluation.steps -= (most - max(budget.atoms, 0)) * _PRICE
    return formula if isinstance(formula, bool) else None


def _may_be_eliminated(evaluation: Evaluation, sort: Sort) -> bool:
    if sort in (INT, REAL):
        return True
    domain = evaluation.domains.of(sort)
    return domain is not None and len(domain) <= _FEWLINEAR


def _is_large(term: Term) -> bool:
    """Whether a term has many nodes, or is deep: translation is recursive."""
    depths: dict[Term, int] = {}
    todo = [term]
    while todo:
        part = todo[-1]
        missing = [child for child in children(part) if child not in depths]
        if missing and part not in depths:
            todo += missing
            if len(todo) + len(depths) > _MOST_NODES:
                return True
            continue
        todo.pop()
        depths[part] = 1 + max((depths[child] for child in children(part)), default=0)
        if depths[part] > _DEEPEST:
            return True
    return False


@dataclass(slots=True)
class _Translation:
    """The translation of one quantifier; `env` has payloads, polynomials (as Cases) and formulas."""

    evaluation: Evaluation
    budget: AtomBudget
    calls: int = 0
    numbers: count[int] = field(default_factory=count)
    # Quotients that values mention; the atoms that are made of these values bind them.
    quotients: list[linear.Variable] = field(default_factory=list)
    free: dict[Term, frozenset[Var]] = field(default_factory=dict)

    # -- formulas --------------------------------------------------------------------------------

    def formula(self, term: Term, env: Mapping[Var, Any]) -> Formula:
        self.budget.spend()
        if isinstance(term, Var) and term in env and _is_symbolic(env[term]):
            return self.formula_of(env[term])
        if not self.is_symbolic(term, env) and not isinstance(term, Quantifier):
            return bool(self.value(term, env))
        if isinstance(term, Annotated):
            return self.formula(term.body, env)
        if isinstance(term, Let):
            return self.formula(term.body, self.let(term, env))
        if isinstance(term, Quantifier):
            return self.quantifier(term, env)
        assert isinstance(term, App)
        symbol = term.head.symbol
        if isinstance(symbol, Function):
            return self.formula_of(self.call(term, symbol, env))
        translate = _FORMULAS.get(symbol.canonical.name)
        if translate is not None:
            return translate(self, term, env)
        before = len(self.quotients)
        return self.bound(before, self.formula_of(self.cases(term, env)))

    def formula_of(self, cases: Any) -> Formula:
        """The formula that holds in the cases in which the value is true."""
        if isinstance(cases, _Truth):
            return cases.formula
        return linear.junction(False, [linear.junction(True, (guard, value)) for guard, value in cases])

    def quantifier(self, term: Quantifier, env: Mapping[Var, Any]) -> Formula:
        is_exists = term.kind == "exists"
        small = [b for b in term.binders if b.sort not in (INT, REAL)]
        domains = [self.evaluation.domains.of(b.sort) for b in small]
        small_domains = [domain for domain in domains if domain is not None and len(domain) <= _FEWLINEAR]
        if len(small_domains) < len(small):
            raise TooLargeError
        large = [b for b in term.binders if b not in small]
        fresh = {b: linear.Variable(next(self.numbers), b.sort is INT) for b in large}
        parts = []
        for values in product(*small_domains):
            inner = {**env, **dict(zip(small, values, strict=True))}
            inner.update({b: [(True, linear.variable(v))] for b, v in fresh.items()})
            body = self.formula(term.body, inner)
            body = body if is_exists else linear.negation(body)
            # Reals first: integers are eliminated only where no real is left.
            for one in sorted(fresh.values(), key=lambda v: v.is_int):
                body = linear.exists(one, body, self.budget)
            parts.append(body)
            if body is True:
                break
        formula = linear.junction(is_and=False, parts=parts)
        return formula if is_exists else linear.negation(formula)

    # -- values ----------------------------------------------------------------------------------

    def cases(self, term: Term, env: Mapping[Var, Any]) -> Cases:
        self.budget.spend()
        if isinstance(term, Var) and term in env and _is_symbolic(env[term]):
            entry = env[term]
            if isinstance(entry, _Truth):
                return [(entry.formula, True), (linear.negation(entry.formula), False)]
            return list(entry)
        if not self.is_symbolic(term, env):
            value = self.value(term, env)
            is_number = term.sort in (INT, REAL)
            return [(True, linear.constant(rational(value)) if is_number else value)]
        if isinstance(term, Annotated):
            return self.cases(term.body, env)
        if isinstance(term, Let):
            return self.cases(term.body, self.let(term, env))
        if not isinstance(term, App):
            raise TooLargeError
        if isinstance(term.head.symbol, Function):
            return self.call(term, term.head.symbol, env)
        name = term.head.symbol.canonical.name
        if name == "ite":
            return self.choice(term, env)
        if name in LINEAR:
            return self.combined([self.cases(arg, env) for arg in term.args], LINEAR[name](term))
        if name in ("div", "mod") and len(term.args) == 2:
            return self.division(term, name, env)
        if name == "select" and len(term.args) == 2:
            return self.select(term, env)
        raise TooLargeError

    def division(self, term: App, name: str, env: Mapping[Var, Any]) -> Cases:
        """The quotient of a division by a constant is a new variable with two bounds."""
        out: Cases = []
        both = [self.cases(arg, env) for arg in term.args]
        for guard, (dividend, divisor) in self.combined(both, lambda *pair: pair):
            if divisor.terms or not divisor.constant:
                raise TooLargeError
            quotient = linear.Variable(next(self.numbers), is_int=True)
            self.quotients.append(quotient)
            rest = linear.combine(((Fraction(1), dividend), (-divisor.constant, linear.variable(quotient))))
            bound = linear.constant(abs(divisor.constant))
            bounds = linear.atom(">=", rest), compared("<", rest, bound)
            value = linear.variable(quotient) if name == "div" else rest
            out.append((linear.junction(True, (guard, *bounds)), value))
        return out

    def bound(self, before: int, formula: Formula) -> Formula:
        """An atom with its quotients bound, each of which has exactly one value."""
        for quotient in self.quotients[before:]:
            formula = linear.exists(quotient, formula, self.budget)
        del self.quotients[before:]
        return formula

    def choice(self, term: App, env: Mapping[Var, Any]) -> Cases:
        condition = self.formula(term.args[0], env)
        out: Cases = []
        for guard, branch in ((condition, term.args[1]), (linear.negation(condition), term.args[2])):
            if guard is not False:
                out += [(linear.junction(True, (guard, g)), value) for g, value in self.cases(branch, env)]
        return self.possible(out)

    def combined(self, parts: list[Cases], function: Callable[..., Any]) -> Cases:
        if len(parts) > _MOST_CASES:
            return [(True, function(*[self.only(part) for part in parts]))]
        out: Cases = []
        for combination in product(*parts):
            guard = linear.junction(True, [g for g, _ in combination])
            if guard is not False:
                out.append((guard, function(*(value for _, value in combination))))
            if len(out) > _MOST_CASES:
                raise TooLargeError
        return out

    def only(self, part: Cases) -> Any:
        if len(part) != 1:
            raise TooLargeError
        return part[0][1]

    def possible(self, cases: Cases) -> Cases:
        remaining = [case for case in cases if case[0] is not False]
        if len(remaining) > _MOST_CASES:
            raise TooLargeError
        return remaining

    def select(self, term: App, env: Mapping[Var, Any]) -> Cases:
        if self.is_symbolic(term.args[0], env):
            raise TooLargeError
        table = self.value(term.args[0], env)
        if not isinstance(table, ArrayValue) or term.args[1].sort not in (INT, REAL):
            raise TooLargeError
        is_number = term.sort in (INT, REAL)

        def made(value: Any) -> Any:
            return linear.constant(rational(value)) if is_number else value

        out: Cases = []
        for guard, index in self.cases(term.args[1], env):
            elsewhere: list[Formula] = [guard]
            for key, value in table.entries.items():
                hit = compared("=", index, linear.constant(rational(key)))
                out.append((linear.junction(True, (guard, hit)), made(value)))
                elsewhere.append(linear.negation(hit))
            out.append((linear.junction(True, elsewhere), made(table.default)))
        return self.possible(out)

    def call(self, term: App, symbol: Function, env: Mapping[Var, Any]) -> Cases:
        """The body of a function of the model, with the arguments for its parameters."""
        definition = self.evaluation.model.definition_of(symbol)
        if definition is None or len(definition.binders) != len(term.args) or self.calls >= _MOST_CALLS:
            raise TooLargeError
        if _is_large(definition.body):
            raise TooLargeError
        inner: dict[Var, Any] = {}
        for binder, arg in zip(definition.binders, term.args, strict=True):
            inner[binder] = self.argument(arg, env)
        self.calls += 1
        try:
            return self.cases_of(definition.body, inner)
        finally:
            self.calls -= 1

    def argument(self, term: Term, env: Mapping[Var, Any]) -> Any:
        if not self.is_symbolic(term, env):
            return self.value(term, env)
        before = len(self.quotients)
        argument = _Truth(self.formula(term, env)) if term.sort is BOOL else self.cases(term, env)
        if len(self.quotients) > before:
            raise TooLargeError
        return argument

    def cases_of(self, term: Term, env: Mapping[Var, Any]) -> Cases:
        if term.sort is BOOL:
            formula = self.formula(term, env)
            return [(formula, True), (linear.negation(formula), False)]
        return self.cases(term, env)

    def let(self, term: Let, env: Mapping[Var, Any]) -> dict[Var, Any]:
        values = [self.argument(value, env) for value in term.values]
        return {**env, **dict(zip(term.binders, values, strict=True))}

    # -- what the bound variables do not occur in ------------------------------------------------------

    def is_symbolic(self, term: Term, env: Mapping[Var, Any]) -> bool:
        if term not in self.free:
            self.free.update(free_variable_table(term))
        return any(var not in env or _is_symbolic(env[var]) for var in self.free[term])

    def value(self, term: Term, env: Mapping[Var, Any]) -> Any:
        bindings = {var: (0, payload) for var, payload in env.items() if not _is_symbolic(payload)}
        value = self.evaluation.applied(Closure(Definition((), term), (), bindings), ())
        if isinstance(value, CannotSay | Closure):
            raise TooLargeError
        return value


@dataclass(frozen=True, slots=True)
class _Truth:
    """A Boolean that depends on variables."""

    formula: Formula


def _is_symbolic(payload: Any) -> bool:
    return payload.__class__ in (list, _Truth)


# -- operators -----------------------------------------------------------------------------------------


def _junction(is_and: bool) -> Callable[[_Translation, App, Mapping[Var, Any]], Formula]:
    def translate(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
        return linear.junction(is_and, [self.formula(arg, env) for arg in term.args])

    return translate


def _implication(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
    *premises, conclusion = [self.formula(arg, env) for arg in term.args]
    return linear.junction(False, [*map(linear.negation, premises), conclusion])


def _iff(left: Formula, right: Formula) -> Formula:
    both = linear.junction(True, (left, right))
    neither = linear.junction(True, (linear.negation(left), linear.negation(right)))
    return linear.junction(False, (both, neither))


def _equals(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
    return linear.junction(True, [_equation(self, left, right, env) for left, right in pairwise(term.args)])


def _distinct(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
    pairs = [(a, b) for place, a in enumerate(term.args) for b in term.args[:place]]
    return linear.junction(True, [linear.negation(_equation(self, a, b, env)) for a, b in pairs])


def _equation(self: _Translation, left: Term, right: Term, env: Mapping[Var, Any]) -> Formula:
    if left.sort is BOOL:
        return _iff(self.formula(left, env), self.formula(right, env))
    if left.sort in (INT, REAL):
        return _relation(self, "=", left, right, env)
    out = []
    before = len(self.quotients)
    for guard, (first, second) in self.combined(
        [self.cases(left, env), self.cases(right, env)], lambda *pair: pair
    ):
        answer = self.evaluation.equal(left.sort, first, second)
        if isinstance(answer, CannotSay):
            raise TooLargeError
        out.append(linear.junction(True, (guard, answer)))
    return self.bound(before, linear.junction(False, out))


def _relation(self: _Translation, relation: str, left: Term, right: Term, env: Mapping[Var, Any]) -> Formula:
    before = len(self.quotients)
    pairs = self.combined([self.cases(left, env), self.cases(right, env)], lambda *pair: pair)
    parts = [linear.junction(True, (guard, compared(relation, *pair))) for guard, pair in pairs]
    return self.bound(before, linear.junction(False, parts))


def _chain(relation: str) -> Callable[[_Translation, App, Mapping[Var, Any]], Formula]:
    def translate(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
        parts = [_relation(self, relation, a, b, env) for a, b in pairwise(term.args)]
        return linear.junction(True, parts)

    return translate


def _divisible(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
    (divisor,) = numbers(term)
    before = len(self.quotients)
    cases = self.cases(term.args[0], env)
    parts = [linear.junction(True, (guard, linear.atom("|", value, divisor))) for guard, value in cases]
    return self.bound(before, linear.junction(False, parts))


def _choice(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
    condition, first, second = (self.formula(arg, env) for arg in term.args)
    return linear.junction(
        True,
        (
            linear.junction(False, (linear.negation(condition), first)),
            linear.junction(False, (condition, second)),
        ),
    )


def _exclusive(self: _Translation, term: App, env: Mapping[Var, Any]) -> Formula:
    result: Formula = False
    for arg in term.args:
        result = linear.negation(_iff(result, self.formula(arg, env)))
    return result


_FORMULAS: Final[dict[str, Callable[[_Translation, App, Mapping[Var, Any]], Formula]]] = {
    "and": _junction(is_and=True),
    "or": _junction(is_and=False),
    "not": lambda self, term, env: linear.negation(self.formula(term.args[0], env)),
    "=>": _implication,
    "xor": _exclusive,
    "ite": _choice,
    "=": _equals,
    "distinct": _distinct,
    "divisible": _divisible,
    **{relation: _chain(relation) for relation in ("<", "<=", ">", ">=")},
}
