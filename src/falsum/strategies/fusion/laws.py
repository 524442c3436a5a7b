"""Fusions: the inverse laws at the constants of two joined seeds.

A law says that from z = f(x, y) follow x = g(z, y) and y = h(z, x). A fusion has a fresh constant for z,
constants of the seeds for x and y, and constants or values for what else the law leaves open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib import laws
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.laws import Instance, Law, equations, instantiate
from falsum.smtlib.lexer import quote
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.sampling import random_value
from falsum.smtlib.sorts import BOOL, Bindings, Sort, match, substitute
from falsum.smtlib.terms import App, Function, Term, Var, constant, sort_text
from falsum.smtlib.theories import theory_cache
from falsum.smtlib.values.elements import Element
from falsum.smtlib.walk import children, subterms, transform
from falsum.strategies.fusion.join import Joined
from falsum.strategies.growth import literal

# Numbers for the indices a law leaves open: widths, positions, factors.
_WIDEST: Final = 9
_STEPS: Final = 20_000
# How often something of the other seed, and of the same, is taken before a value is.
_FROM_OTHER: Final = 0.85
_FROM_SAME: Final = 0.3
# Assertions that may stand for a Boolean variable of a law.
_LONGEST_FORMULA: Final = 200


@theory_cache()
def _fusing_laws() -> tuple[Law, ...]:
    return tuple(law for law in laws.all_laws() if law.kind == "inverse")


@dataclass(frozen=True, slots=True)
class Fused:
    """One fused constant, as text.

    `equations` are z = f(x, y) first, then those that `inverted` (side, constant, what it equals) uses.
    `definition` is its value under the model, "" if there is none; `always` says that the equations hold
    whatever the seeds' constants are, `here` that they hold under the model.
    """

    name: str
    declaration: str
    equations: tuple[str, ...]
    inverted: tuple[tuple[int, Function, str], ...]
    definition: str
    always: bool
    here: bool
    about: str


class Fuser:
    """Draws fusions for two joined seeds; `model` interprets the constants of both."""

    def __init__(
        self, pair: Joined, used: Sequence[Sequence[Function]], sorts: frozenset[Sort], model: Model
    ) -> None:
        self._used = used
        self._sorts = sorts
        # Bit-vectors may have any width; not every solver takes every format of floats.
        self._any_size = frozenset(sort.name for sort in sorts) & {"BitVec"}
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

    def draw(self, rng: Random) -> Fused | None:
        """A random fusion; None if the law drawn does not fit."""
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
        fused = _fused(law)
        for name, pattern in law.binders:
            if name not in (role, fused) and not self._fill(name, pattern, bindings, terms, sides, side, rng):
                return None
        for name in (*law.params, *law.indices):
            if name in law.params and name not in bindings:
                return None
            bindings.setdefault(name, rng.randint(1, _WIDEST))
        instance = instantiate(law, bindings)
        # What does not couple the seeds is worth little.
        if instance is None or (len(set(sides.values())) == 1 and rng.random() < 0.8):
            return None
        return self._fusion(instance, terms, sides)

    def _laws_at(self, sort: Sort) -> list[tuple[Law, str]]:
        """The laws that give back a constant of the sort, with its role in them."""
        found = self._at.get(sort)
        if found is None:
            found = []
            for law in self._laws:
                patterns = dict(law.binders)
                for role in _inverted(law):
                    if match(patterns[role], sort, {}):
                        found.append((law, role))
            self._at[sort] = found
        return found

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
        """Finds something for a variable of the law: a constant, of the other seed if it can be, or a value;
        for a Boolean an assertion of the other seed.
        """
        # Each is passed over now and then, so that the others have their turn.
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
            written = literal(sort, random_value(sort, self._model, rng), self._model)
            if written is not None:
                terms[name] = written
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
        """Takes a constant of one seed for a variable of the law, if one fits."""
        fitting = [c for c in self._constants[where] if match(pattern, c.result, dict(bindings))]
        if not fitting:
            return False
        chosen = rng.choice(fitting)
        match(pattern, chosen.result, bindings)
        terms[name], sides[name] = constant(chosen), where
        return True

    def _fusion(self, instance: Instance, terms: dict[str, Term], sides: dict[str, int]) -> Fused | None:
        by: dict[Var, Term] = {v: terms[v.name] for v in instance.binders if v.name in terms}
        ((z, meaning), *inverses) = equations(instance)
        if not all(self._is_allowed(term, by) for term in (z, meaning, *(term for _, term in inverses))):
            return None
        self._made += 1
        name = f"fused!{self._made}"
        while name in self._taken:
            self._made += 1
            name = f"fused!{self._made}"
        whole = _put(meaning, by)
        by[z] = constant(Function(name, (), z.sort))
        formulas = [(subject, _put(term, by)) for subject, term in inverses]
        condition = None if instance.condition is None else _put(instance.condition, by)
        holds = condition is None or self._evaluation_of(condition) is True
        definition = self._definition(name, z.sort, whole) if holds else ""
        lines = [f"(= {name} {print_term(whole)})"]
        inverted = []
        for subject, term in formulas:
            known = terms[subject.name]
            text = print_term(term)
            lines.append(f"(= {print_term(known)} {text})")
            if subject.name in sides and isinstance(known, App) and isinstance(known.head.symbol, Function):
                inverted.append((sides[subject.name], known.head.symbol, text))
        return Fused(
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
        """Whether the logic has every sort and application of a law's term; what is put in is known."""
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
            # The model it was read from declares it by its name.
            text = quote(payload.name)
        elif (written := literal(sort, payload, self._model, in_model=True)) is not None:
            text = print_term(written)
        else:
            return ""
        return f"(define-fun {quote(name)} () {sort_text(sort)} {text})\n"


def _put(term: Term, by: dict[Var, Term]) -> Term:
    """A law's term with terms for its variables; laws bind nothing, so nothing is captured."""
    return transform(term, lambda part: by.get(part) if isinstance(part, Var) else None)


def _fused(law: Law) -> str:
    """The variable that a law fuses: z in (= z f)."""
    name = law.left[1]
    assert isinstance(name, str)
    return name


def _inverted(law: Law) -> tuple[str, ...]:
    """The variables that a law gives back: those that its equations start with."""
    many = isinstance(law.right, tuple) and law.right[0] == "and"
    formulas = law.right[1:] if many else (law.right,)
    return tuple(f[1] for f in formulas if isinstance(f, tuple) and isinstance(f[1], str))
