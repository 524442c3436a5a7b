"""Checks of verdicts, cores and unsat assumptions by other solvers and by a fresh one of the same library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from falsum.api.checks.check import CheckFailure, RunCheck
from falsum.api.model.mirror import Mirror
from falsum.api.model.one_shot_script import script_asserting_names
from falsum.api.trace import Line, Reply

if TYPE_CHECKING:
    from falsum.api.reference_solvers import ReferenceSolvers


class VerdictCheck(RunCheck):
    """Other solvers, possibly the product's own program, have the same verdict on the formulas of a check."""

    name = "verdict"
    words = ("check",)

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if mirror.mode not in ("sat", "unsat"):
            return None
        for solver, verdict in references.verdicts(script_asserting_names(mirror, mirror.formulas_at_check)):
            if verdict != mirror.mode:
                return CheckFailure(
                    self.name,
                    f"the library answers {mirror.mode}, {solver} answers {verdict} to the same assertions",
                )
        return None


class FreshSolverCheck(RunCheck):
    """A fresh solver of the same library has the same verdict on the same formulas."""

    name = "one-shot"
    words = ("one-shot",)

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error:
            return None
        formulas = frozenset(line.args)
        if mirror.mode == "sat" and reply.text == "unsat" and formulas <= frozenset(mirror.formulas_at_check):
            return CheckFailure(self.name, f"sat, but a fresh solver answers unsat to {' '.join(line.args)}")
        if mirror.mode != "unsat" or reply.text != "sat":
            return None
        assumptions = frozenset(mirror.assumptions)
        if mirror.unsat_core is not None and formulas >= assumptions.union(mirror.unsat_core):
            return CheckFailure("core", f"a fresh solver answers sat to {' '.join(line.args)}")
        if mirror.failed_assumptions is not None and formulas >= frozenset(mirror.asserted).union(
            mirror.failed_assumptions
        ):
            return CheckFailure("assumptions", f"a fresh solver answers sat to {' '.join(line.args)}")
        if formulas >= frozenset(mirror.formulas_at_check):
            return CheckFailure(self.name, f"unsat, but a fresh solver answers sat to {' '.join(line.args)}")
        return None


class CoreCheck(RunCheck):
    """A core has only formulas of the check, and is unsat; likewise unsat assumptions."""

    name = "core"
    words = ("check", "get-core", "get-unsat-assumptions")

    def follow_ups(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        if line.word in ("get-core", "get-unsat-assumptions") and mirror.has("one-shot"):
            yield from self._fresh_solver_lines(mirror, line)
        if (
            line.word == "check"
            and mirror.mode == "unsat"
            and mirror.has("cores")
            and len(mirror.asserted) > 1
            and mirror.past_verdicts[-1] not in mirror.past_verdicts[:-1]  # whose core has been checked
        ):
            yield Line("get-core")

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error or mirror.mode != "unsat":
            return None
        if line.word == "get-core" and mirror.unsat_core is not None:
            return self._core(mirror, mirror.unsat_core, references)
        if line.word == "get-unsat-assumptions" and mirror.failed_assumptions is not None:
            foreign = [name for name in mirror.failed_assumptions if name not in mirror.assumptions]
            if foreign:
                return CheckFailure("assumptions", f"{foreign[0]} was not assumed")
            return self._unsat(
                mirror, (*mirror.asserted, *mirror.failed_assumptions), "assumptions", references
            )
        return None

    def _fresh_solver_lines(self, mirror: Mirror, line: Line) -> Iterable[Line]:
        """Lines that ask a fresh solver of the same library."""
        if line.word == "get-core" and mirror.unsat_core is not None:
            yield Line("one-shot", tuple(dict.fromkeys((*mirror.unsat_core, *mirror.assumptions))))
        elif mirror.failed_assumptions is not None:
            yield Line("one-shot", tuple(dict.fromkeys((*mirror.asserted, *mirror.failed_assumptions))))

    def _core(
        self, mirror: Mirror, core: tuple[str, ...], references: ReferenceSolvers
    ) -> CheckFailure | None:
        foreign = [name for name in core if name not in mirror.formulas_at_check]
        if foreign:
            return CheckFailure(self.name, f"{foreign[0]} in the core was never asserted")
        return self._unsat(mirror, (*core, *mirror.assumptions), self.name, references)

    def _unsat(
        self, mirror: Mirror, names: tuple[str, ...], kind: str, references: ReferenceSolvers
    ) -> CheckFailure | None:
        for solver, verdict in references.verdicts(script_asserting_names(mirror, names)):
            if verdict == "sat":
                return CheckFailure(kind, f"{solver} answers sat to {' '.join(names) or 'the empty core'}")
        return None
