"""Fusions: instances of inverse laws at the constants of two joined seeds.

An inverse law says that z = f(x, y) implies x = g(z, y) and y = h(z, x). In a fusion z is a fresh constant,
x and y are constants of the seeds, and other variables of the law are constants or values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib import laws
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.laws import Law, LawInstance, equations, instantiate
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.samples import random_value
from falsum.smtlib.sorts import BOOL, Bindings, Sort, match, substitute
from falsum.smtlib.terms import App, Function, Term, Var, constant, sort_text
from falsum.smtlib.text.lexer import quote
from falsum.smtlib.theories import kind_of, theory_cache
from falsum.smtlib.values.elements import Element
from falsum.smtlib.walk import children, subterms, transform
from falsum.strategies.fusion.join import JoinedSeeds
from falsum.strategies.growth import literal

# The largest number for an index that a law leaves open: a width, a position, a factor.
_MAX_INDEX: Final = 9
_STEPS: Final = 20_000
# The probabilities that a variable becomes a constant of the other seed, and of the same seed, not a value.
_FROM_OTHER: Final = 0.85
_FROM_SAME: Final = 0.3
# The longest assertion that may become a Boolean variable of a law.
_LONGEST_FORMULA: Final = 200
# The probability that a fusion is dropped that involves one seed only.
_DROP_UNCOUPLED: Final = 0.8


@theory_cache()
def _fusing_laws() -> tuple[Law, ...]:
    return tuple(law for law in laws.all_laws() if law.kind == "inverse")


@dataclass(frozen=True, slots=True)
class FusedConstant:
    """One fused constant z, with everything as text.

    `equations` starts with z = f(x, y), followed by the inverse equations. `inverted` lists the constants
    that can be replaced: seed, constant, and the term it equals. `definition` defines z under the model, ""
    if it has no value. `always`: the equations hold for all values of the seeds' constants; `in_model`: they
    hold under the model.
    """

    name: str
    declaration: str
    equations: tuple[str, ...]
    inverted: tuple[tuple[int, Function, str], ...]
    definition: str
    always: bool
    in_model: bool
    about: str


class FusionSampler:
    """Draws random fusions for two joined seeds; `model` interprets the constants of both."""

    def __init__(
        self, pair: JoinedSeeds, used: Sequence[Sequence[Function]], sorts: frozenset[Sort], model: Model
    ) -> None:
        self._used = used
        self._sorts = sorts
        # Bit-vectors of any width are allowed; float formats are not, since not every solver takes them all.
        self._any_size = frozenset(sort.name for sort in sorts if kind_of(sort).takes_any_indices)
        self._model = model
        self._evaluation = Evaluation(model, _STEPS)
        self._constants = pair.constants
        self._formulas = tuple(
            [t for t in side if len(print_term(t)) <= _LONGEST_FORMULA] for side in pair.sides
        )
        self._logic: Logic = logic_of(pair.script.logic)
        own = [law for law in laws.datatype_laws(pair.script) if law.kind == "inverse"]
        self._laws = (*own, *_fusing_laws())
        self._at: dict[Sort, list[tuple[Law, str]]] = {}
        self._taken = pair.taken
        self._made = 0

    def draw(self, rng: Random) -> FusedConstant | None:
        """A random fusion; None if the law drawn cannot be instantiated."""
        side = rng.randrange(2)
        if not self._used[side]:
            side = 1 - side
        if not self._used[side]:
            return None
        x = rng.choice(self._used[side])
        fitting = self._laws_at(x.result)
        if not fitting:
            return None
        law, role = fitting[rng.randrange(len(fitting))]
        bindings: Bindings = {}
        match(dict(law.binders)[role], x.result, bindings)
        terms: dict[str, Term] = {role: constant(x)}
        sides = {role: side}
        fused = _fused_variable(law)
        for name, pattern in law.binders:
            if name not in (role, fused) and not self._fill(name, pattern, bindings, terms, sides, side, rng):
                return None
        for name in (*law.params, *law.indices):
            if name in law.params and name not in bindings:
                return None
            bindings.setdefault(name, rng.randint(1, _MAX_INDEX))
        instance = instantiate(law, bindings)
        if instance is None or (len(set(sides.values())) == 1 and rng.random() < _DROP_UNCOUPLED):
            return None
        return self._fusion(instance, terms, sides)

    def _laws_at(self, sort: Sort) -> list[tuple[Law, str]]:
        """The laws that recover a constant of the sort, with its role in them."""
        candidates = self._at.get(sort)
        if candidates is None:
            candidates = []
            for law in self._laws:
                patterns = dict(law.binders)
                for role in _inverted_variables(law):
                    if match(patterns[role], sort, {}):
                        candidates.append((law, role))
            self._at[sort] = candidates
        return candidates

    def _fill(
        self,
        name: str,
        pattern: Sort,
        bindings: Bindings,
        terms: dict[str, Term],
        sides: dict[str, int],
        side: int,
        rng: Random,
    ) -> bool:
        """Chooses a term for a variable of the law; False if there is none.

        It is a constant of the other seed, an assertion of the other seed (for a Boolean), a constant of the
        same seed, or a value; each of them is skipped now and then in favour of the next.
        """
        if rng.random() < _FROM_OTHER and self._take(1 - side, name, pattern, bindings, terms, sides, rng):
            return True
        sort = substitute(pattern, bindings)
        formulas = self._formulas[1 - side]
        if sort is BOOL and formulas and rng.random() < _FROM_OTHER:
            terms[name], sides[name] = rng.choice(formulas), 1 - side
            return True
        if rng.random() < _FROM_SAME and self._take(side, name, pattern, bindings, terms, sides, rng):
            return True
        if not sort.is_pattern:
            text = literal(sort, random_value(sort, self._model, rng), self._model)
            if text is not None:
                terms[name] = text
                return True
        return self._take(side, name, pattern, bindings, terms, sides, rng)

    def _take(
        self,
        where: int,
        name: str,
        pattern: Sort,
        bindings: Bindings,
        terms: dict[str, Term],
        sides: dict[str, int],
        rng: Random,
    ) -> bool:
        """Chooses a constant of one seed for a variable of the law; False if none fits."""
        fitting = [c for c in self._constants[where] if match(pattern, c.result, dict(bindings))]
        if not fitting:
            return False
        choice = rng.choice(fitting)
        match(pattern, choice.result, bindings)
        terms[name], sides[name] = constant(choice), where
        return True

    def _fusion(
        self, instance: LawInstance, terms: dict[str, Term], sides: dict[str, int]
    ) -> FusedConstant | None:
        by: dict[Var, Term] = {v: terms[v.name] for v in instance.binders if v.name in terms}
        ((z, meaning), *inverses) = equations(instance)
        if not all(self._is_allowed(term, by) for term in (z, meaning, *(term for _, term in inverses))):
            return None
        self._made += 1
        name = f"fused!{self._made}"
        while name in self._taken:
            self._made += 1
            name = f"fused!{self._made}"
        whole = _substituted(meaning, by)
        by[z] = constant(Function(name, (), z.sort))
        formulas = [(subject, _substituted(term, by)) for subject, term in inverses]
        condition = None if instance.condition is None else _substituted(instance.condition, by)
        holds = condition is None or self._evaluation_of(condition) is True
        definition = self._definition(name, z.sort, whole) if holds else ""
        lines = [f"(= {name} {print_term(whole)})"]
        inverted = []
        for subject, term in formulas:
            subject_term = terms[subject.name]
            text = print_term(term)
            lines.append(f"(= {print_term(subject_term)} {text})")
            if (
                subject.name in sides
                and isinstance(subject_term, App)
                and isinstance(subject_term.head.symbol, Function)
            ):
                inverted.append((sides[subject.name], subject_term.head.symbol, text))
        return FusedConstant(
            name,
            f"(declare-fun {quote(name)} () {sort_text(z.sort)})\n",
            tuple(lines),
            tuple(inverted),
            definition,
            condition is None,
            bool(definition),
            f"{instance.law.name} {lines[0]}",
        )

    def _is_allowed(self, term: Term, by: dict[Var, Term]) -> bool:
        """Whether the logic allows every sort and every application in a law's term."""
        for part in subterms(term):
            if part.sort not in self._sorts and part.sort.name not in self._any_size:
                return False
            symbol = part.head.symbol if isinstance(part, App) else None
            if isinstance(symbol, Operator) and not self._logic.allows(
                symbol, tuple([by.get(arg, arg) if isinstance(arg, Var) else arg for arg in children(part)])
            ):
                return False
        return True

    def _evaluation_of(self, term: Term) -> object:
        self._evaluation.steps = _STEPS
        return self._evaluation.run(term)

    def _definition(self, name: str, sort: Sort, meaning: Term) -> str:
        payload = self._evaluation_of(meaning)
        if isinstance(payload, Element):
            # The witness declares the element by this name.
            text = quote(payload.name)
        elif (value_text := literal(sort, payload, self._model, in_model=True)) is not None:
            text = print_term(value_text)
        else:
            return ""
        return f"(define-fun {quote(name)} () {sort_text(sort)} {text})\n"


def _substituted(term: Term, by: dict[Var, Term]) -> Term:
    """A law's term with its variables replaced; laws have no binders, so nothing is captured."""
    return transform(term, lambda part: by.get(part) if isinstance(part, Var) else None)


def _fused_variable(law: Law) -> str:
    """The z of an inverse law (= z f)."""
    name = law.left[1]
    assert isinstance(name, str)
    return name


def _inverted_variables(law: Law) -> tuple[str, ...]:
    """The variables that an inverse law solves for: the left sides of its equations."""
    many = isinstance(law.right, tuple) and law.right[0] == "and"
    formulas = law.right[1:] if many else (law.right,)
    return tuple(f[1] for f in formulas if isinstance(f, tuple) and isinstance(f[1], str))
