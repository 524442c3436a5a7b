"""FindingView: everything the page of one finding shows."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from falsum.app.pages.finding_index import FindingRow
from falsum.app.pages.highlight import highlighted
from falsum.app.pages.length_steps import LengthSteps
from falsum.app.pages.script_diff import DiffLine, script_diff
from falsum.app.report import files
from falsum.app.report.markdown import fenced
from falsum.app.report.parts import ReportParts
from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import capital_sentence
from falsum.campaign.triage.releases import ReleaseRow
from falsum.campaign.triage.result import ReductionRecord, Triage
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.standing import Standing
from falsum.store import finding_folder
from falsum.store.records import ExchangeRecord, FindingRecord
from falsum.store.states import FindingLife, read_life

_PROOF: Final = "proof"
_LONGEST_OUTPUT: Final = 20_000
_MOST_FILES: Final = 200
_MOST_LINES: Final = 30


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One piece of evidence and its details; `is_long` if it is shown folded."""

    text: str
    details: Markup
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer, as a row of the table."""

    solver: str
    version: str
    manner: str
    said: str
    ending: str
    seconds: float
    file: str
    command: str
    output: str
    errors: str
    model: Markup
    is_suspect: bool


@dataclass(frozen=True, slots=True)
class FileView:
    name: str
    size: int


@dataclass(frozen=True)
class FindingView:
    """All about one finding; `row` is the finding in the list; without triage there is less to show."""

    row: FindingRow
    folder: Path
    record: FindingRecord
    triage: Triage | None
    life: FindingLife

    @cached_property
    def parts(self) -> ReportParts | None:
        return files.parts_of(self.folder) if self.triage is not None else None

    @cached_property
    def title(self) -> str:
        if self.parts is not None:
            return self.parts.title
        return f"{self.record.kind} in {', '.join(self.record.suspects)}"

    @property
    def script(self) -> str:
        """The script to report: the reduced one, or the original if there is none."""
        if self.triage is not None and self.record.trace is None:
            return self.triage.script
        return self.record.script

    @cached_property
    def script_html(self) -> Markup:
        return highlighted(self.script, "smt2")

    @property
    def is_reduced(self) -> bool:
        return self.triage is not None and self.record.trace is None and self.script != self.record.script

    @cached_property
    def original_html(self) -> Markup:
        return highlighted(self.record.script, "smt2")

    @cached_property
    def evidence(self) -> list[EvidenceView]:
        if self.triage is None:
            return [EvidenceView(self.record.evidence, Markup())]
        is_crash = self.triage.judgement.defect == Defect.CRASH
        return [
            EvidenceView(
                each.text,
                highlighted(each.details, "" if is_crash or each.kind == _PROOF else "smt2"),
                each.details.count("\n") > _MOST_LINES,
            )
            for each in self.triage.judgement.evidence
        ]

    @property
    def truth(self) -> str:
        """The right verdict, if it is known."""
        truth = self.triage.judgement.truth if self.triage is not None else None
        return "" if truth is None else str(truth)

    @cached_property
    def _all_answers(self) -> tuple[list[AnswerView], list[AnswerView]]:
        """The answers to the script, one per solver, and those to other questions."""
        first: dict[tuple[str, bool], AnswerView] = {}
        later: dict[tuple[str, str, bool], AnswerView] = {}
        posed: dict[tuple[str, bool], str] = {}
        for file, exchange in finding_folder.asked_files(self.record):
            view = _answer(exchange, file, is_suspect=exchange.solver in self.row.suspects)
            key = (exchange.solver, exchange.cold)
            if posed.setdefault(key, exchange.posed) != exchange.posed:
                later.setdefault((*key[:1], exchange.posed, exchange.cold), view)
            else:
                first.setdefault(key, view)
        return sorted(first.values(), key=lambda one: (not one.is_suspect, one.solver)), list(later.values())

    @property
    def answers(self) -> list[AnswerView]:
        return self._all_answers[0]

    @property
    def control_answers(self) -> list[AnswerView]:
        """Answers to questions about how solvers read the script, for example division by zero."""
        return self._all_answers[1]

    @property
    def reduction(self) -> ReductionRecord | None:
        return self.triage.reduction if self.triage is not None else None

    @cached_property
    def steps(self) -> LengthSteps | None:
        reduction = self.reduction
        return LengthSteps(reduction.lengths) if reduction is not None and reduction.lengths else None

    @property
    def seeds(self) -> tuple[tuple[str, str], ...]:
        return self.record.seeds

    @cached_property
    def diff(self) -> list[DiffLine] | None:
        """The difference from the seed to the mutant; None if there are several seeds, or it is too long."""
        return script_diff(self.seeds[0][1], self.record.script) if len(self.seeds) == 1 else None

    @property
    def releases(self) -> tuple[ReleaseRow, ...]:
        bisection = self.triage.bisection if self.triage is not None else None
        return bisection.rows if bisection is not None else ()

    @property
    def releases_text(self) -> str:
        bisection = self.triage.bisection if self.triage is not None else None
        return capital_sentence(bisection) if bisection is not None and bisection.rows else ""

    @cached_property
    def report(self) -> str:
        """The text of the report; "" if it is not written yet."""
        file = self.folder / result.REPORT
        try:
            return file.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    @cached_property
    def files(self) -> list[FileView]:
        """The plain files of the finding's folder and of the folders in it, the first of them."""
        return [
            FileView(path.relative_to(self.folder).as_posix(), path.stat().st_size)
            for path in self._paths[:_MOST_FILES]
        ]

    @property
    def more_files(self) -> int:
        return max(0, len(self._paths) - _MOST_FILES)

    @cached_property
    def _paths(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*") if path.is_file() and not path.is_symlink())

    @property
    def fenced(self) -> str:
        """The reproducer as a block of Markdown: the script, or the program or trace of calls."""
        trace = self.record.trace
        if trace is None:
            return fenced(self.script, "smt2")
        return fenced(trace.program, "python") if trace.program else fenced(trace.small, "text")

    @cached_property
    def program_html(self) -> Markup:
        return highlighted(self.record.trace.program, "python") if self.record.trace else Markup()

    @cached_property
    def trace_html(self) -> Markup:
        return highlighted(self.record.trace.small, "trace") if self.record.trace else Markup()

    @cached_property
    def whole_trace_html(self) -> Markup:
        return highlighted(self.record.trace.whole, "trace") if self.record.trace else Markup()


def standing_class(standing: Standing) -> str:
    """The colour of a release in the strip."""
    return str(standing) if standing.decided else "open"


def read_view(row: FindingRow, folder: Path) -> FindingView:
    return FindingView(row, folder, finding_folder.read(folder), result.read(folder), read_life(folder))


def _answer(exchange: ExchangeRecord, file: str, *, is_suspect: bool) -> AnswerView:
    answer: dict[str, Any] = exchange.answer
    ending = " ".join(filter(None, (answer["ending"], answer["cause"], answer["detail"])))
    model = answer.get("model")
    return AnswerView(
        solver=exchange.solver,
        version=exchange.version,
        manner="fresh process" if exchange.cold else "used process",
        said=" ".join(answer["verdicts"]) or answer["ending"],
        ending=ending,
        seconds=answer["seconds"],
        file=file,
        command=shlex.join((*exchange.command, "script.smt2")),
        output=_beginning(exchange.stdout),
        errors=_beginning(exchange.stderr),
        model=highlighted(model, "smt2") if isinstance(model, str) else Markup(),
        is_suspect=is_suspect,
    )


def _beginning(output: str) -> str:
    """As much of an output as a page shows; the rest is counted."""
    rest = len(output) - _LONGEST_OUTPUT
    return output if rest <= 0 else f"{output[:_LONGEST_OUTPUT]}\n… {rest:,} more characters in answers.txt"
