"""Verdicts, cores and assumptions: put to other solvers, and to a fresh solver of the same library."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from falsum.api.checks.check import Complaint, Observer
from falsum.api.model.mirror import Mirror
from falsum.api.traces.to_script import script_of
from falsum.api.traces.trace import Line, Reply

if TYPE_CHECKING:
    from falsum.api.reference_solvers import Others


class VerdictHolds(Observer):
    """A decided check, put to other solvers as a one-shot script; the solver's own program may be one of
    them.
    """

    name = "verdict"
    about = ("check",)

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if mirror.mode not in ("sat", "unsat"):
            return None
        for solver, verdict in others.asked(script_of(mirror, mirror.in_force)):
            if verdict != mirror.mode:
                return Complaint(
                    self.name, f"{mirror.mode} here, {solver} says {verdict} to the same assertions"
                )
        return None


class OneShotHolds(Observer):
    """A fresh solver of the same library, told the same at once, does not contradict."""

    name = "one-shot"
    about = ("one-shot",)

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if reply.is_error:
            return None
        told = frozenset(line.args)
        if mirror.mode == "sat" and reply.text == "unsat" and told <= frozenset(mirror.in_force):
            return Complaint(self.name, f"sat here, unsat to a fresh solver told {' '.join(line.args)}")
        if mirror.mode != "unsat" or reply.text != "sat":
            return None
        assumed = frozenset(mirror.assumed)
        if mirror.core is not None and told >= assumed.union(mirror.core):
            return Complaint("core", f"sat to a fresh solver: {' '.join(line.args)}")
        if mirror.failed is not None and told >= frozenset(mirror.asserted).union(mirror.failed):
            return Complaint("assumptions", f"sat to a fresh solver: {' '.join(line.args)}")
        if told >= frozenset(mirror.in_force):
            return Complaint(self.name, f"unsat here, sat to a fresh solver told {' '.join(line.args)}")
        return None


class CoreHolds(Observer):
    """A core is made of what was asserted, and is unsat by itself; so are failed assumptions."""

    name = "core"
    about = ("check", "get-core", "get-unsat-assumptions")

    def wants(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        if line.word in ("get-core", "get-unsat-assumptions") and mirror.has("one-shot"):
            yield from self._again(mirror, line)
        if (
            line.word == "check"
            and mirror.mode == "unsat"
            and mirror.has("cores")
            and len(mirror.asserted) > 1
            and mirror.decided[-1] not in mirror.decided[:-1]  # its core has been looked at
        ):
            yield Line("get-core")

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if reply.is_error or mirror.mode != "unsat":
            return None
        if line.word == "get-core" and mirror.core is not None:
            return self._core(mirror, mirror.core, others)
        if line.word == "get-unsat-assumptions" and mirror.failed is not None:
            strange = [name for name in mirror.failed if name not in mirror.assumed]
            if strange:
                return Complaint("assumptions", f"{strange[0]} was not assumed")
            return self._unsat(mirror, (*mirror.asserted, *mirror.failed), "assumptions", others)
        return None

    def _again(self, mirror: Mirror, line: Line) -> Iterable[Line]:
        """The same library is asked, too."""
        if line.word == "get-core" and mirror.core is not None:
            yield Line("one-shot", tuple(dict.fromkeys((*mirror.core, *mirror.assumed))))
        elif mirror.failed is not None:
            yield Line("one-shot", tuple(dict.fromkeys((*mirror.asserted, *mirror.failed))))

    def _core(self, mirror: Mirror, core: tuple[str, ...], others: Others) -> Complaint | None:
        strange = [name for name in core if name not in mirror.in_force]
        if strange:
            return Complaint(self.name, f"{strange[0]} in the core was never asserted")
        return self._unsat(mirror, (*core, *mirror.assumed), self.name, others)

    def _unsat(self, mirror: Mirror, names: tuple[str, ...], kind: str, others: Others) -> Complaint | None:
        for solver, verdict in others.asked(script_of(mirror, names)):
            if verdict == "sat":
                return Complaint(kind, f"{solver} says sat to {' '.join(names) or 'nothing at all'}")
        return None
