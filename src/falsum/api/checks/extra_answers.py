"""Checks of answers that extras return: verdicts, cores, other values of a term."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from falsum.api.checks.check import MAX_EVIDENCE, CheckFailure, RunCheck
from falsum.api.model.one_shot_script import script_asserting
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


class ExtraResultCheck(RunCheck):
    """Checks the results of extras that are declared to return something; an empty result is not checked."""

    words = ("extra",)
    returns: ClassVar[str] = ""

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error or not reply.text:
            return None
        extra = mirror.extras.get(line.args[0])
        if extra is None or extra.returns != self.returns:
            return None
        return self.examine_result(mirror, line, reply.text, references)

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        raise NotImplementedError

    def expect(
        self, mirror: Mirror, terms: list[Term], wrong: str, why: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        """Return a failure if a reference solver's verdict on terms is the wrong one."""
        for solver, verdict in references.verdicts(script_asserting(mirror, terms)):
            if verdict == wrong:
                return CheckFailure(self.name, f"{solver} answers {verdict}: {why}"[:MAX_EVIDENCE])
        return None


class SecondVerdictCheck(ExtraResultCheck):
    """Checks that a copy of the solver, or a solver that reads what it printed, gives the same verdict."""

    name = "again"
    returns = "verdict"

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        """Compare with the verdict before the extra, which may have made it invalid; some extras keep
        assumptions.
        """
        for formulas, verdict in mirror.past_verdicts[-1:]:
            is_less = text == "unsat" and verdict == "sat" and formulas >= frozenset(mirror.formulas_at_check)
            is_more = text == "sat" and verdict == "unsat" and formulas <= frozenset(mirror.asserted)
            if is_less or is_more:
                return CheckFailure(self.name, f"the check answers {verdict}, {line.args[0]} answers {text}")
        return None


class SecondCoreCheck(ExtraResultCheck):
    """Checks that a core returned by an extra consists of assertions and is unsat."""

    name = "core"
    returns = "core"

    def examine_result(
        self, mirror: Mirror, line: Line, text: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        names = tuple(text.split())
        foreign = [name for name in names if name not in mirror.asserted]
        if foreign:
            return CheckFailure(self.name, f"{foreign[0]} in the {line.args[0]} was never asserted")
        terms = [mirror.entry(name).term for name in names]
        return self.expect(mirror, terms, "sat", f"not a core: {text}", references)


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
            equal = app(_EQUAL, (entry.term, second))
            return self.expect(
                mirror, [*assertions, equal], "unsat", f"against: {now} is a possible value", references
            )
        unequal = app(_DISTINCT, (entry.term, first))
        return self.expect(
            mirror, [*assertions, unequal], "sat", f"against: {before} is the only value", references
        )
