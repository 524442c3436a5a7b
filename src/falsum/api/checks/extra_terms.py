"""Checks of terms that extras return, by definition: interpolants, abducts, optima, implied formulas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from falsum.api.checks.check import MAX_EVIDENCE, CheckFailure
from falsum.api.checks.extra_answers import ExtraResultCheck
from falsum.api.model.mirror import Mirror
from falsum.api.model.printed_terms import read_term
from falsum.api.trace import Line
from falsum.errors import FalsumError
from falsum.smtlib.consequences import consequence as consequences
from falsum.smtlib.consequences.consequence import Consequence
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Function, Term

if TYPE_CHECKING:
    from falsum.api.reference_solvers import ReferenceSolvers


class _ExtraTermCheck(ExtraResultCheck):
    """Checks a result that is a term; one that falsum cannot read is not checked."""

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        try:
            term = read_term(text, mirror)
        except FalsumError:
            return None
        return self.examine_term(mirror, line, term, references)

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        raise NotImplementedError


class InterpolantCheck(_ExtraTermCheck):
    """I is an interpolant of A and B: A implies I, I and B are unsat, I has only symbols of both."""

    name = "interpolant"
    returns = "interpolant"

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        first, second = self.parts(mirror, line)
        if foreign := consequences.foreign_symbols(term, first, second, _bodies(mirror)):
            return CheckFailure(self.name, f"{foreign[0]} is not a common symbol: {print_term(term)}")
        return _refuted(self, mirror, consequences.of_interpolant(first, second, term), references)

    def parts(self, mirror: Mirror, line: Line) -> tuple[list[Term], list[Term]]:
        """The formulas of A, those that are named, and of B, the other assertions."""
        names = line.args[1:]
        others = [name for name in mirror.asserted if name not in names]
        return [mirror.entry(name).term for name in names], [mirror.entry(name).term for name in others]


class GoalInterpolantCheck(InterpolantCheck):
    """The same for all assertions and the negation of a formula that they imply."""

    returns = "goal-interpolant"

    def parts(self, mirror: Mirror, line: Line) -> tuple[list[Term], list[Term]]:
        goal = mirror.entry(line.args[1]).term
        return [mirror.entry(name).term for name in mirror.asserted], [consequences.negation(goal)]


class AbductCheck(_ExtraTermCheck):
    """C is an abduct of A and a goal B: A and C are satisfiable, and imply B."""

    name = "abduct"
    returns = "abduct"

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        assertions = [mirror.entry(name).term for name in mirror.asserted]
        goal = mirror.entry(line.args[1]).term
        return _refuted(self, mirror, consequences.of_abduct(assertions, term, goal), references)


class MaximumCheck(_ExtraTermCheck):
    """The largest value of a term: it is attained, and none is larger."""

    name = "optimum"
    returns = "maximum"
    is_maximum: ClassVar[bool] = True

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        goal = mirror.entry(line.args[1]).term
        assertions = [mirror.entry(name).term for name in mirror.asserted]
        implied = consequences.of_optimum(assertions, goal, term, is_maximum=self.is_maximum)
        return _refuted(self, mirror, implied, references, print_term(term))


class MinimumCheck(MaximumCheck):
    """The smallest value of a term."""

    returns = "minimum"
    is_maximum = False


class ImpliedFormulaCheck(_ExtraTermCheck):
    """A formula that is said to follow from the assertions does."""

    name = "implied"
    returns = "implied"

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        assertions = [mirror.entry(name).term for name in mirror.asserted]
        implied = consequences.of_implied(assertions, term)
        return _refuted(self, mirror, implied, references, print_term(term))


class EqualUnderAssertionsCheck(_ExtraTermCheck):
    """The assertions imply that the result and the argument are equal."""

    name = "equal"
    returns = "equal-under-assertions"

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        first = mirror.entry(line.args[1]).term
        if first is term:
            return None
        if first.sort is not term.sort:
            return CheckFailure(
                self.name, f"{print_term(term)} has sort {term.sort}, not {first.sort}"[:MAX_EVIDENCE]
            )
        assertions = [mirror.entry(name).term for name in mirror.asserted]
        implied = consequences.of_equal(assertions, first, term)
        return _refuted(self, mirror, implied, references, f"{print_term(term)} and {line.args[1]}")


def _refuted(
    check: _ExtraTermCheck,
    mirror: Mirror,
    implied: Iterable[Consequence],
    references: ReferenceSolvers,
    answer: str = "",
) -> CheckFailure | None:
    """Evidence that another solver refutes a consequence of a result."""
    for one in implied:
        why = f"{answer}: {one.why}" if answer else one.why
        failure = check.expect(mirror, list(one.terms), str(one.wrong), why, references)
        if failure is not None:
            return failure
    return None


def _bodies(mirror: Mirror) -> dict[Function, Term]:
    return consequences.bodies_of(mirror.declarations)
