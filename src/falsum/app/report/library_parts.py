"""LibraryParts: a triaged finding in a library as the parts of a bug report: calls instead of a script."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from falsum.api.trace import Trace, read_trace
from falsum.app.report.markdown import fenced, joined
from falsum.app.report.parts import ReportParts
from falsum.app.report.subject import TitleSubject, subject_of
from falsum.defects.evidence.judgement import Defect
from falsum.smtlib.theories import OPERATORS
from falsum.version import __version__

# By the kind of a finding; other kinds contradict a verdict, or what defines a result.
_EXPECTED: Final = {
    "api-exception": "No exception: the calls are valid.",
    "api-memory": "The calls should not need that much memory.",
    "api-model": "A model that satisfies every assertion.",
    "api-value": "Values that agree with the model.",
    "api-revised": "A value that does not change between two calls.",
    "api-core": "A core that is unsatisfiable and has only assertions in it.",
    "api-assumptions": "Failed assumptions that are unsatisfiable together with the assertions.",
    "api-sort": "The sort by which the term was made.",
    "api-children": "The children with which the term was made.",
    "api-leak": "The same replies as in a fresh process.",
}
_HAS_TO_AGREE: Final = "Replies that agree with each other and with what other solvers answer."


@dataclass(frozen=True)
class LibraryParts(ReportParts):
    """The parts of a report about library calls; the record must have a trace."""

    @cached_property
    def _trace(self) -> Trace:
        assert self.record.trace is not None
        return read_trace(self.record.trace.small)

    @property
    def _subject(self) -> TitleSubject:
        words = Counter(
            line.args[0].partition("[")[0] for line in self._trace.lines if line.word in ("term", "extra")
        )
        operators = [name for name, _count in words.most_common()]
        theories = dict.fromkeys(OPERATORS[name].theory for name in operators if name in OPERATORS)
        return subject_of([theory for theory in theories if theory != "Core"], operators)

    @property
    def _crash_message(self) -> str:
        return self.record.evidence

    @property
    def reproducer(self) -> str:
        """The program, the script if the calls have one, and the trace."""
        trace = self.record.trace
        assert trace is not None
        blocks = [fenced(trace.program, "python")]
        if self.record.script:
            blocks += ["As a script:", fenced(self.record.script, "smt2")]
        blocks += ["As a trace, for `falsum replay`:", fenced(trace.small, "text")]
        return joined(*blocks).strip()

    @property
    def script(self) -> str:
        """The reproducer to run: the program, or the trace if there is no program."""
        trace = self.record.trace
        assert trace is not None
        return trace.program or trace.small

    @property
    def expected(self) -> str:
        truth = self.triage.judgement.truth
        if truth is not None:
            return f"`{truth}`."
        if self.record.kind == "api-crash" or (
            self.triage.judgement.defect == Defect.CRASH and self.record.kind not in _EXPECTED
        ):
            return f"{self.triage.product} should not crash."
        return _EXPECTED.get(self.record.kind, _HAS_TO_AGREE)

    @property
    def actual(self) -> str:
        last = self._trace.lines[-1] if self._trace.lines else None
        where = f" (in the call `{last}` of the trace)" if last is not None else ""
        return f"{self.record.evidence}{where}"

    @property
    def origin(self) -> str:
        trace = self.record.trace
        assert trace is not None
        lines = len(read_trace(trace.whole).lines), len(self._trace.lines)
        run = self._trace.header.get("rng", "")
        return (
            f"Found by falsum {__version__}, an SMT solver fuzzer (random calls, run {run}). "
            f"Reduced from {lines[0]} to {lines[1]} calls."
        )
