"""Checks of answers that extras return: verdicts, cores, other values of a term."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from falsum.api.checks.check import MAX_EVIDENCE, CheckFailure, SimpleCheck
from falsum.api.model.one_shot_script import script_asserting, script_asserting_names
from falsum.api.model.printed_terms import read_term
from falsum.errors import FalsumError
from falsum.smtlib.terms import Head, Term, app
from falsum.smtlib.theories import OPERATORS

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.reference_solvers import ReferenceSolvers
    from falsum.api.trace import Line, Reply

_DISTINCT: Final = Head(OPERATORS["distinct"])
_EQUAL: Final = Head(OPERATORS["="])


class ExtraResultCheck(SimpleCheck):
    """Checks the results of extras that are declared to return something; an empty result is not checked."""

    words = ("extra",)
    returns: ClassVar[str] = ""

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error or not reply.text:
            return None
        declared = mirror.extras.get(line.args[0])
        if declared is None or declared.returns != self.returns:
            return None
        return self.examine_result(mirror, line, reply.text, references)

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        raise NotImplementedError


class SecondVerdictCheck(ExtraResultCheck):
    """A copy of the solver, or one that reads what it printed, has the same verdict."""

    name = "again"
    returns = "verdict"

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        """Compare with the last verdict, which the extra may have ended; some extras keep assumptions."""
        del references
        for formulas, verdict in mirror.past_verdicts[-1:]:
            is_less = text == "unsat" and verdict == "sat" and formulas >= frozenset(mirror.formulas_at_check)
            is_more = text == "sat" and verdict == "unsat" and formulas <= frozenset(mirror.asserted)
            if is_less or is_more:
                return CheckFailure(self.name, f"the check answers {verdict}, {line.args[0]} answers {text}")
        return None


class SecondCoreCheck(ExtraResultCheck):
    """A core by an extra has only assertions, and is unsat."""

    name = "core"
    returns = "core"

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        names = tuple(text.split())
        foreign = [name for name in names if name not in mirror.asserted]
        if foreign:
            return CheckFailure(self.name, f"{foreign[0]} in the {line.args[0]} was never asserted")
        for solver, verdict in references.verdicts(script_asserting_names(mirror, names)):
            if verdict == "sat":
                return CheckFailure(
                    self.name, f"{solver} answers sat to {' '.join(names) or 'the empty core'}"
                )
        return None


class OtherValueCheck(ExtraResultCheck):
    """After a value is blocked the term has another value, or there is none."""

    name = "blocked"
    returns = "other-value"

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        before, _, now = text.partition("\t")
        entry = mirror.entry(line.args[1])
        if before == now:
            return CheckFailure(self.name, f"{entry.name} still has the blocked value {now}"[:MAX_EVIDENCE])
        assertions = [mirror.entry(name).term for name in mirror.asserted]
        try:
            first, second = read_term(before, mirror), read_term(now, mirror) if now else None
        except FalsumError:
            return None
        if second is not None:
            return self._expect(
                mirror, [*assertions, app(_EQUAL, (entry.term, second))], "unsat", now, references
            )
        return self._expect(
            mirror, [*assertions, app(_DISTINCT, (entry.term, first))], "sat", before, references
        )

    def _expect(
        self, mirror: Mirror, terms: list[Term], wrong: str, value: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        claim = "is the only value" if wrong == "sat" else "is a possible value"
        for solver, verdict in references.verdicts(script_asserting(mirror, terms)):
            if verdict == wrong:
                return CheckFailure(
                    self.name, f"{solver} answers {verdict}, against: {value} {claim}"[:MAX_EVIDENCE]
                )
        return None
