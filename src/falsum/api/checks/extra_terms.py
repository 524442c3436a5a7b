"""Checks of terms that extras return, by definition: interpolants, abducts, optima, implied formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from falsum.api.checks.check import MAX_EVIDENCE, CheckFailure, functions_in
from falsum.api.checks.extra_answers import ExtraResultCheck
from falsum.api.model.mirror import Mirror
from falsum.api.model.printed_terms import read_term
from falsum.api.trace import Line
from falsum.errors import FalsumError
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Function, Head, Term, app
from falsum.smtlib.theories import OPERATORS, kind_of

if TYPE_CHECKING:
    from falsum.api.reference_solvers import ReferenceSolvers

_NOT: Final = Head(OPERATORS["not"])
_EQUAL: Final = Head(OPERATORS["="])
_DISTINCT: Final = Head(OPERATORS["distinct"])


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
        foreign = declared_in(mirror, [term]) - (declared_in(mirror, first) & declared_in(mirror, second))
        if foreign:
            return CheckFailure(
                self.name, f"{min(f.name for f in foreign)} is not a common symbol: {print_term(term)}"
            )
        found = self.expect(mirror, [*first, app(_NOT, (term,))], "sat", "A does not imply I", references)
        return found or self.expect(mirror, [term, *second], "sat", "I and B are satisfiable", references)

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
        return [mirror.entry(name).term for name in mirror.asserted], [app(_NOT, (goal,))]


class AbductCheck(_ExtraTermCheck):
    """C is an abduct of A and a goal B: A and C are satisfiable, and imply B."""

    name = "abduct"
    returns = "abduct"

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        assertions = [mirror.entry(name).term for name in mirror.asserted]
        goal = mirror.entry(line.args[1]).term
        found = self.expect(mirror, [*assertions, term], "unsat", "A and C are unsatisfiable", references)
        negated = [*assertions, term, app(_NOT, (goal,))]
        return found or self.expect(mirror, negated, "sat", "A and C do not imply B", references)


class MaximumCheck(_ExtraTermCheck):
    """The largest value of a term: it is attained, and none is larger."""

    name = "optimum"
    returns = "maximum"
    is_maximum: ClassVar[bool] = True

    def examine_term(
        self, mirror: Mirror, line: Line, term: Term, references: ReferenceSolvers
    ) -> CheckFailure | None:
        goal = mirror.entry(line.args[1]).term
        order = kind_of(goal.sort).order
        if term.sort is not goal.sort or order is None:
            return None
        assertions = [mirror.entry(name).term for name in mirror.asserted]
        compare = OPERATORS[order.greater if self.is_maximum else order.less]
        better = app(Head(compare), (goal, term))
        found = self.expect(
            mirror,
            [*assertions, better],
            "sat",
            f"there is a better value than {print_term(term)}",
            references,
        )
        equal = app(_EQUAL, (goal, term))
        return found or self.expect(
            mirror, [*assertions, equal], "unsat", f"the value {print_term(term)} is not possible", references
        )


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
        return self.expect(
            mirror,
            [*assertions, app(_NOT, (term,))],
            "sat",
            f"{print_term(term)} does not follow from the assertions",
            references,
        )


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
        unequal = app(_DISTINCT, (first, term))
        return self.expect(
            mirror,
            [*assertions, unequal],
            "sat",
            f"{print_term(term)} differs from {line.args[1]}",
            references,
        )


def declared_in(mirror: Mirror, terms: list[Term]) -> set[Function]:
    """The declared functions in terms."""
    return {symbol for symbol in functions_in(mirror, terms) if symbol.role == "declared"}
