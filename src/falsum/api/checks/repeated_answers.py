"""Answers a library gives once more by actions of its own: verdicts, cores, other values of a term."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from falsum.api.checks.check import LONGEST, Complaint, Observer
from falsum.api.library_output import read_term
from falsum.api.traces.to_script import asserting, script_of
from falsum.errors import FalsumError
from falsum.smtlib.terms import Head, Term, app
from falsum.smtlib.theories import OPERATORS

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.reference_solvers import Others
    from falsum.api.traces.trace import Line, Reply

_DISTINCT: Final = Head(OPERATORS["distinct"])
_EQUAL: Final = Head(OPERATORS["="])


class Given(Observer):
    """An action whose declaration says what it gives; no answer is none."""

    about = ("extra",)
    returns: ClassVar[str] = ""

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if reply.is_error or not reply.text:
            return None
        declared = mirror.extras.get(line.args[0])
        if declared is None or declared.returns != self.returns:
            return None
        return self.look(mirror, line, reply.text, others)

    def look(self, mirror: Mirror, line: Line, text: str, others: Others) -> Complaint | None:
        raise NotImplementedError


class SameVerdict(Given):
    """A copy of the solver, or one that reads what it printed, does not contradict."""

    name = "again"
    returns = "verdict"

    def look(self, mirror: Mirror, line: Line, text: str, others: Others) -> Complaint | None:
        """By what was decided last: the action may have ended that answer. Some take assumptions along."""
        del others
        for told, verdict in mirror.decided[-1:]:
            is_less = text == "unsat" and verdict == "sat" and told >= frozenset(mirror.in_force)
            is_more = text == "sat" and verdict == "unsat" and told <= frozenset(mirror.asserted)
            if is_less or is_more:
                return Complaint(self.name, f"{verdict} here, {text} by {line.args[0]}")
        return None


class CoreAgain(Given):
    """A core by another name: asserted, and unsat by itself."""

    name = "core"
    returns = "core"

    def look(self, mirror: Mirror, line: Line, text: str, others: Others) -> Complaint | None:
        names = tuple(text.split())
        strange = [name for name in names if name not in mirror.asserted]
        if strange:
            return Complaint(self.name, f"{strange[0]} in the {line.args[0]} was never asserted")
        for solver, verdict in others.asked(script_of(mirror, names)):
            if verdict == "sat":
                return Complaint(self.name, f"{solver} says sat to {' '.join(names) or 'nothing at all'}")
        return None


class OtherValue(Given):
    """After a value is ruled out there is another one, or there is none."""

    name = "blocked"
    returns = "other-value"

    def look(self, mirror: Mirror, line: Line, text: str, others: Others) -> Complaint | None:
        before, _, now = text.partition("\t")
        known = mirror.known(line.args[1])
        if before == now:
            return Complaint(self.name, f"{known.name} has the value {now} that was ruled out"[:LONGEST])
        told = [mirror.known(name).term for name in mirror.asserted]
        try:
            first, second = read_term(before, mirror), read_term(now, mirror) if now else None
        except FalsumError:
            return None
        if second is not None:
            return self._expect(mirror, [*told, app(_EQUAL, (known.term, second))], "unsat", now, others)
        return self._expect(mirror, [*told, app(_DISTINCT, (known.term, first))], "sat", before, others)

    def _expect(
        self, mirror: Mirror, terms: list[Term], wrong: str, value: str, others: Others
    ) -> Complaint | None:
        why = "is its only value" if wrong == "sat" else "is a value it has"
        for solver, verdict in others.asked(asserting(mirror, terms)):
            if verdict == wrong:
                return Complaint(self.name, f"{solver} denies that {value} {why}"[:LONGEST])
        return None
