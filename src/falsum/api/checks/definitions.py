"""Interpolants, abducts, optima and what is implied, checked by what they are defined to be."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from falsum.api.checks.check import LONGEST, Complaint, functions_in
from falsum.api.checks.repeated_answers import Given
from falsum.api.library_output import read_term
from falsum.api.model.mirror import Mirror
from falsum.api.traces.to_script import asserting
from falsum.api.traces.trace import Line
from falsum.errors import FalsumError
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Function, Head, Term, app
from falsum.smtlib.theories import OPERATORS

if TYPE_CHECKING:
    from falsum.api.reference_solvers import Others

_NOT: Final = Head(OPERATORS["not"])
_EQUAL: Final = Head(OPERATORS["="])
_DISTINCT: Final = Head(OPERATORS["distinct"])
_GREATER: Final = {"Int": ">", "Real": ">", "BitVec": "bvugt"}
_LESS: Final = {"Int": "<", "Real": "<", "BitVec": "bvult"}


class _Result(Given):
    """A term, by itself; what we cannot read is let be."""

    def look(self, mirror: Mirror, line: Line, text: str, others: Others) -> Complaint | None:
        try:
            term = read_term(text, mirror)
        except FalsumError:
            return None
        return self.weigh(mirror, line, term, others)

    def weigh(self, mirror: Mirror, line: Line, term: Term, others: Others) -> Complaint | None:
        raise NotImplementedError

    def expect(
        self, mirror: Mirror, terms: list[Term], wrong: str, why: str, others: Others
    ) -> Complaint | None:
        """Complains if another solver's verdict on terms is the wrong one."""
        for solver, verdict in others.asked(asserting(mirror, terms)):
            if verdict == wrong:
                return Complaint(self.name, f"{solver} says {verdict}: {why}"[:LONGEST])
        return None


class InterpolantHolds(_Result):
    """For unsat A and B: A implies I, I and B are unsat, I has symbols of both only."""

    name = "interpolant"
    returns = "interpolant"

    def weigh(self, mirror: Mirror, line: Line, term: Term, others: Others) -> Complaint | None:
        names = line.args[1:]
        first = [mirror.known(name).term for name in names]
        second = [mirror.known(name).term for name in mirror.asserted if name not in names]
        strange = declared_in(mirror, [term]) - (declared_in(mirror, first) & declared_in(mirror, second))
        if strange:
            return Complaint(
                self.name, f"{min(f.name for f in strange)} is no common symbol: {print_term(term)}"
            )
        found = self.expect(mirror, [*first, app(_NOT, (term,))], "sat", "A does not imply I", others)
        return found or self.expect(mirror, [term, *second], "sat", "I and B are satisfiable", others)


class AbductHolds(_Result):
    """For assertions A and a goal B: A and C are satisfiable, and imply B."""

    name = "abduct"
    returns = "abduct"

    def weigh(self, mirror: Mirror, line: Line, term: Term, others: Others) -> Complaint | None:
        told = [mirror.known(name).term for name in mirror.asserted]
        goal = mirror.known(line.args[1]).term
        found = self.expect(mirror, [*told, term], "unsat", "A and C are unsatisfiable", others)
        negated = [*told, term, app(_NOT, (goal,))]
        return found or self.expect(mirror, negated, "sat", "A and C do not imply B", others)


class OptimumHolds(_Result):
    """The largest value of a term: it can be had, and none larger."""

    name = "optimum"
    returns = "maximum"
    better: ClassVar[dict[str, str]] = _GREATER

    def weigh(self, mirror: Mirror, line: Line, term: Term, others: Others) -> Complaint | None:
        goal = mirror.known(line.args[1]).term
        if term.sort is not goal.sort or goal.sort.name not in self.better:
            return None
        told = [mirror.known(name).term for name in mirror.asserted]
        better = app(Head(OPERATORS[self.better[goal.sort.name]]), (goal, term))
        found = self.expect(
            mirror, [*told, better], "sat", f"there is a better value than {print_term(term)}", others
        )
        equal = app(_EQUAL, (goal, term))
        return found or self.expect(
            mirror, [*told, equal], "unsat", f"{print_term(term)} cannot be had", others
        )


class LeastHolds(OptimumHolds):
    """The smallest value of a term."""

    returns = "minimum"
    better = _LESS


class ImpliedHolds(_Result):
    """What is said to follow from the assertions does."""

    name = "implied"
    returns = "implied"

    def weigh(self, mirror: Mirror, line: Line, term: Term, others: Others) -> Complaint | None:
        del line
        told = [mirror.known(name).term for name in mirror.asserted]
        return self.expect(
            mirror, [*told, app(_NOT, (term,))], "sat", f"{print_term(term)} does not follow", others
        )


class EqualHere(_Result):
    """As long as what is asserted holds, the term and its argument are equal."""

    name = "equal"
    returns = "equal-under-assertions"

    def weigh(self, mirror: Mirror, line: Line, term: Term, others: Others) -> Complaint | None:
        first = mirror.known(line.args[1]).term
        if first is term:
            return None
        if first.sort is not term.sort:
            return Complaint(
                self.name, f"{print_term(term)} has the sort {term.sort}, not {first.sort}"[:LONGEST]
            )
        told = [mirror.known(name).term for name in mirror.asserted]
        unequal = app(_DISTINCT, (first, term))
        return self.expect(
            mirror, [*told, unequal], "sat", f"{print_term(term)} is told from {line.args[1]}", others
        )


def declared_in(mirror: Mirror, terms: list[Term]) -> set[Function]:
    return {symbol for symbol in functions_in(mirror, terms) if symbol.role == "declared"}
