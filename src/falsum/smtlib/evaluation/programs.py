"""Programs: formulas as lists of steps, which are made once and run under many models.

A step applies an operator to results of earlier steps. Every step is run, whether or not its result matters;
as soon as one is not a plain value, the program gives up, and the formula is evaluated term by term. Calls,
quantifiers and cases are steps that evaluate their term separately.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.evaluation.plans import Careful, plan_of
from falsum.smtlib.operators import Meaning, Operator
from falsum.smtlib.terms import Annotated, App, Function, Let, Term, Value, Var
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure, OpenPoint

# Results with which a program gives up.
_NOT_PLAIN: Final = frozenset((CannotSay, OpenPoint, Closure, type(None)))
_MOST_STEPS: Final = 10_000
_MOST_FORMULAS: Final = 1024
# Making a program takes as long as one or two evaluations, so a formula that is evaluated for the first time
# has none.
_USES_BEFORE: Final = 3
# Returned by a program that gives up.
UNDECIDED: Final = object()


class FormulaStep(NamedTuple):
    """One step: the operator's meaning, or a special evaluator; the term; the places of the arguments."""

    meaning: Meaning
    careful: Careful | None
    term: Any
    places: tuple[int, ...]


class FormulaProgram(NamedTuple):
    """A program; results are kept in one list: of constants first, then of symbols, then of the steps."""

    constants: tuple[Any, ...]
    symbols: tuple[App, ...]
    steps: tuple[FormulaStep, ...]
    place: int

    def run(self, evaluation: Evaluation) -> Any:
        """The payload of the formula, or UNDECIDED."""
        if evaluation.steps < len(self.steps):
            return UNDECIDED
        results = list(self.constants)
        constants = evaluation.constants
        for symbol in self.symbols:
            constant = constants.get(symbol.head.symbol)
            payload = evaluation.run(symbol) if constant is None else constant.payload
            if payload.__class__ in _NOT_PLAIN:
                return UNDECIDED
            results.append(payload)
        add = results.append
        for meaning, careful, term, places in self.steps:
            payloads = [results[place] for place in places]
            payload = meaning(term, payloads) if careful is None else careful(evaluation, term, payloads)
            if payload.__class__ in _NOT_PLAIN:
                return UNDECIDED
            add(payload)
        evaluation.steps -= len(self.steps)
        return results[self.place]


class _Use:
    """The number of evaluations of a formula, and its program once that is worth making."""

    __slots__ = ("count", "program")

    def __init__(self) -> None:
        self.count = 0
        self.program: FormulaProgram | None = None


@lru_cache(maxsize=_MOST_FORMULAS)
def _use_of(term: Term) -> _Use:
    del term
    return _Use()


def program_of(term: Term) -> FormulaProgram | None:
    """The program of a closed formula that is evaluated repeatedly; None if it has none."""
    use = _use_of(term)
    use.count += 1
    if use.count == _USES_BEFORE:
        use.program = assembled(term)
    return use.program


def forget_programs() -> None:
    """Forgets all programs, and how often formulas were evaluated; for measurements."""
    _use_of.cache_clear()


def assembled(term: Term) -> FormulaProgram | None:
    """The program of a closed formula; None if it has none."""
    try:
        return _Assembly().program(term)
    except _NoProgramError:
        return None


class _NoProgramError(Exception):
    """Raised if a formula is too long, or has a part that is not closed and not an operator."""


class _Assembly:
    """The making of one program.

    Places are those among the results of steps; those of constants and symbols are negative until the end.
    A term that depends on variables of a `let` has the number of the innermost one as its level, and is
    forgotten when that is left, since a variable may have another value elsewhere.
    """

    def __init__(self) -> None:
        self.constants: list[Any] = []
        self.symbols: list[App] = []
        self.steps: list[FormulaStep] = []
        self.places: dict[Term, int] = {}
        self.levels: dict[Term, int] = {}
        # For each open let the terms that depend on its variables.
        self.scopes: list[list[Term]] = []
        self.todo: list[tuple[Term, int]] = []

    def program(self, whole: Term) -> FormulaProgram:
        self.todo.append((whole, 0))
        while self.todo:
            term, phase = self.todo.pop()
            if phase or term not in self.places:
                _VISITS.get(term.__class__, _Assembly.by_itself)(self, term, phase)
        symbols = len(self.constants)
        offset = symbols + len(self.symbols)

        def final(place: int) -> int:
            if place >= 0:
                return place + offset
            return (-1 - place) // 2 + (symbols if place % 2 else 0)

        steps = [
            FormulaStep(step.meaning, step.careful, step.term, tuple(map(final, step.places)))
            for step in self.steps
        ]
        return FormulaProgram(
            tuple(self.constants), tuple(self.symbols), tuple(steps), final(self.places[whole])
        )

    def keep(self, term: Term, place: int, level: int) -> None:
        self.places[term] = place
        if level:
            self.levels[term] = level
            self.scopes[level - 1].append(term)

    def missing(self, terms: Sequence[Term]) -> list[tuple[Term, int]]:
        return [(term, 0) for term in reversed(terms) if term not in self.places]

    def add(self, term: Term, meaning: Meaning | None, careful: Careful | None, args: Sequence[Term]) -> None:
        """Adds the step of a term whose arguments have their places."""
        if len(self.steps) >= _MOST_STEPS:
            raise _NoProgramError
        levels = self.levels
        level = max([levels.get(arg, 0) for arg in args]) if levels and args else 0
        places = tuple([self.places[arg] for arg in args])
        self.steps.append(FormulaStep(meaning or _no_meaning, careful, term, places))
        self.keep(term, len(self.steps) - 1, level)

    def constant(self, term: Value, phase: int) -> None:
        del phase
        if term.payload.__class__ in _NOT_PLAIN:
            raise _NoProgramError
        self.constants.append(term.payload)
        self.places[term] = -2 * len(self.constants)

    def application(self, term: App, phase: int) -> None:
        symbol, args = term.head.symbol, term.args
        if not args and isinstance(symbol, Function):
            self.symbols.append(term)
            self.places[term] = 1 - 2 * len(self.symbols)
            return
        if not phase and (missing := self.missing(args)):
            self.todo.append((term, 1))
            self.todo += missing
            return
        if isinstance(symbol, Function) or any(arg.sort.name == "->" for arg in args):
            if any(arg in self.levels for arg in args):
                raise _NoProgramError
            self.add(term, None, _evaluated, args)
            return
        assert isinstance(symbol, Operator)
        lazy, meaning, careful = plan_of(term.head)
        if symbol.theory == "Separation":
            raise _NoProgramError  # its value depends on the heap
        if lazy is not None:
            meaning = _EAGER[symbol.canonical.name]
        self.add(term, meaning, careful, args)

    def annotated(self, term: Annotated, phase: int) -> None:
        if not phase:
            self.todo += [(term, 1), *self.missing((term.body,))]
            return
        self.keep(term, self.places[term.body], self.levels.get(term.body, 0))

    def let(self, term: Let, phase: int) -> None:
        if phase == 0:
            self.todo += [(term, 1), *self.missing(term.values)]
        elif phase == 1:
            if any(binder in self.places for binder in term.binders):
                raise _NoProgramError  # it hides another variable
            self.scopes.append([])
            for binder, bound in zip(term.binders, [self.places[v] for v in term.values], strict=True):
                self.keep(binder, bound, len(self.scopes))
            self.todo += [(term, 2), *self.missing((term.body,))]
        else:
            place = self.places[term.body]
            for variable in self.scopes.pop():
                del self.places[variable], self.levels[variable]
            # It may depend on any let around it.
            self.keep(term, place, len(self.scopes))

    def by_itself(self, term: Term, phase: int) -> None:
        del phase
        if self.scopes or isinstance(term, Var):
            raise _NoProgramError
        self.add(term, None, _evaluated, ())


_VISITS: Final[dict[type, Callable[[_Assembly, Any, int], None]]] = {
    Value: _Assembly.constant,
    App: _Assembly.application,
    Annotated: _Assembly.annotated,
    Let: _Assembly.let,
}


def _evaluated(evaluation: Evaluation, term: Term, payloads: list[Any]) -> Any:
    """Evaluates a closed term by itself, with the arguments that are known already."""
    if payloads and isinstance(term, App):
        evaluation.closed.update(zip(term.args, payloads, strict=True))
    return evaluation.run(term)


def _no_meaning(app: App, args: Sequence[Any]) -> None:
    raise AssertionError((app, args))


def _and(app: App, args: Sequence[Any]) -> bool:
    del app
    return False not in args


def _or(app: App, args: Sequence[Any]) -> bool:
    del app
    return True in args


def _implies(app: App, args: Sequence[Any]) -> bool:
    del app
    return args[-1] is True or False in args[:-1]


def _choice(app: App, args: Sequence[Any]) -> Any:
    del app
    return args[1] if args[0] else args[2]


_EAGER: Final[dict[str, Meaning]] = {"and": _and, "or": _or, "=>": _implies, "ite": _choice}
