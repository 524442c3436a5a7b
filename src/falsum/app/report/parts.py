"""ReportParts: a triaged finding as the parts of a bug report, for every tracker to arrange."""

from __future__ import annotations

import platform
import shlex
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from falsum.app.own_script import STRATEGY as NO_STRATEGY
from falsum.app.report.markdown import fenced, shortened
from falsum.app.report.nonstandard_names import NonstandardNames, nonstandard_names
from falsum.app.report.subject import TitleSubject, subject_of_script
from falsum.campaign.triage.bisection import Bisection, capital_sentence
from falsum.campaign.triage.result import Triage
from falsum.defects import DefectKind, kind_of
from falsum.defects.evidence.judgement import Defect
from falsum.defects.identity.known import ATLAS, atlas_name
from falsum.errors import ScriptError
from falsum.smtlib import read_script
from falsum.smtlib.text.script_modes import MEANINGS, PLACES
from falsum.smtlib.verdict import Verdict
from falsum.solvers.names import label_of
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import MODE
from falsum.solvers.zoo import Origin
from falsum.store.records import FindingRecord
from falsum.store.states import FindingLife, FindingState
from falsum.trust import names_a_product
from falsum.version import __version__

# Origins of releases that pip installs.
_FROM_INDEX: Final = frozenset({Origin.OWN, Origin.ZOO})
# Evidence that is not SMT-LIB.
_PROOF: Final = "proof"
_CRASH: Final = "crash"  # the oracle
_LONGEST_DETAILS: Final = 1500
_MOST_DETAILS: Final = 25
_LONGEST_OUTPUT: Final = 2000
_LONGEST_MESSAGE: Final = 80
_SAT: Final = {Verdict.SAT: "satisfiable", Verdict.UNSAT: "unsatisfiable"}


@dataclass(frozen=True)
class ReportParts:
    """What reports say about a finding, part by part."""

    record: FindingRecord
    triage: Triage
    life: FindingLife = field(default_factory=FindingLife)

    @property
    def title(self) -> str:
        """The title: what is wrong, and which bug of the atlas it is, if known."""
        name = atlas_name(self.triage.known)
        return f"{self._headline}, as {ATLAS} {name}" if name else self._headline

    @property
    def _headline(self) -> str:
        triage, subject, way = self.triage, self._subject, self._way
        match triage.judgement.defect:
            case Defect.REFUTATION_UNSOUNDNESS:
                return f"Refutation unsoundness: unsat for {subject.noun('satisfiable')}{way}"
            case Defect.SOLUTION_UNSOUNDNESS:
                return f"Solution unsoundness: sat for {subject.noun('unsatisfiable')}{way}"
            case Defect.CRASH:
                message = shortened(self._crash_message, _LONGEST_MESSAGE)
                if self._has_history:
                    return f"Crash {self._after_what}: {message}"
                return f"Crash on {subject.noun()}{way}: {message}"
            case _ if triage.judgement.truth is None and self.record.kind == _CRASH:
                return f"Crash that was not seen again, on {subject.noun()}"
            case defect:
                what = self.kind.headline if self.kind is not None else f"{defect.capitalize()}:"
                return f"{what} {subject.noun()}{way}"

    @property
    def kind(self) -> DefectKind | None:
        """The kind of defect; None if that is undecided."""
        target = self.triage.target
        return kind_of(self.triage.judgement.defect) or (kind_of(target.defect) if target else None)

    @property
    def _subject(self) -> TitleSubject:
        return subject_of_script(self.triage.script)

    @property
    def _way(self) -> str:
        """The options or mode the solver needs, for the title."""
        modes = (one.option.partition("=") for one in self.triage.options if one.is_needed)
        return next((f" {PLACES[mode]}" for name, _, mode in modes if name == MODE and mode in PLACES), "")

    @property
    def _has_history(self) -> bool:
        """Whether only a process that has answered other scripts shows it."""
        return bool(self.triage.history or self.record.history)

    @property
    def _after_what(self) -> str:
        return "after `(reset)`" if self.triage.resets else "in a process that has answered other scripts"

    @property
    def _crash_message(self) -> str:
        """The message of a crash; the evidence has it if only a process with a history crashes."""
        if self.triage.target is not None:
            return self.triage.target.message
        return next((each.details for each in self.triage.judgement.evidence if each.details), "")

    @property
    def version(self) -> str:
        package = "Python package" if self.triage.is_library else "binary"
        label = label_of(self.triage.suspect)
        names = " ".join(filter(None, (self.solver, self.triage.release, label and f"(here: {label})")))
        build = f", which identifies itself as: {self.triage.build}" if self.triage.build else ""
        return f"{names}, {package}{build}"

    @property
    def solver(self) -> str:
        """The product, or the name of the program if its product is unknown."""
        if self.triage.product in BY_PRODUCT or self.triage.is_library or not self.triage.command:
            return self.triage.product
        return PurePath(self.triage.command[0]).name

    @property
    def installation(self) -> str:
        packages = BY_PRODUCT[self.triage.product].packages if self.triage.product in BY_PRODUCT else ()
        is_product = not self.triage.suspect or names_a_product(self.triage.suspect)
        if packages and is_product and self.triage.origin in _FROM_INDEX:
            return f"`pip install {packages[0]}=={self.triage.release}`"
        return "the program on PATH" if self.triage.origin == Origin.PATH else "built by the reporter"

    @property
    def platform(self) -> str:
        return f"{platform.system()} {platform.machine()}"

    @property
    def command(self) -> str:
        return shlex.join(self.triage.command)

    @property
    def arguments(self) -> str:
        return shlex.join(self.triage.command[1:-1])

    @property
    def script(self) -> str:
        """The script as the suspect got it, with the commands that ask for a model or a core."""
        return (self.triage.posed or self.triage.script).strip() + "\n"

    @property
    def names(self) -> NonstandardNames:
        """The names in the script that SMT-LIB does not have."""
        try:
            return nonstandard_names(read_script(self.script))
        except ScriptError:
            return NonstandardNames()

    @property
    def known_upstream(self) -> str:
        """Where the developers have been told of the defect, if falsum knows."""
        if self.life.url:
            return f"Reported: {self.life.url}."
        if self.triage.known:
            return f"The same as {self.triage.known}."
        return "Not searched yet; the tracker is searched best for the operators and the message."

    @property
    def reproducer(self) -> str:
        return fenced(self.script, "smt2")

    @property
    def expected(self) -> str:
        if self.triage.judgement.defect == Defect.CRASH:
            after = f" {self._after_what}" if self._has_history else ""
            return f"{self.solver} should not crash{after}."
        truth = self.triage.judgement.truth
        if truth is None and self.kind is not None and self._is_judged:
            return self.kind.expectation
        if truth is None and self.record.kind == _CRASH:
            return f"{self.solver} should not crash. Triage could not reproduce the crash."
        if truth is None:
            return "Not known: the solvers contradict each other."
        return f"`{truth}`{self._at_check}. The script is {_SAT[truth]}{self._at_check and ' there'}."

    @property
    def actual(self) -> str:
        triage = self.triage
        output = fenced(shortened(triage.output, _LONGEST_OUTPUT))
        if triage.judgement.defect == Defect.CRASH:
            crash = f"Crash:\n\n{output}" if output else "Crash, without any output."
            return crash if triage.target else f"{crash}\n\n{self._earlier_scripts}".strip()
        if triage.evidence:
            return f"{triage.evidence}.\n\n{output}".strip()
        if triage.target is None or self.kind is None:
            return f"{self.record.evidence}. {self._earlier_scripts}".strip()
        if triage.judgement.defect == Defect.INVALID_MODEL:
            return f"`sat`, but the model it prints does not satisfy the script:\n\n{output}"
        return f"`{self.kind.observed(triage.target)}`{self._at_check}"

    @property
    def _is_judged(self) -> bool:
        """Whether the judge has decided who is wrong."""
        return self.triage.judgement.defect != Defect.UNDECIDED

    @property
    def _earlier_scripts(self) -> str:
        """The scripts that the process got before, for a state leak."""
        before = len(self.triage.history or self.record.history) - 1
        if before <= 0:
            return ""
        scripts = "one script" if before == 1 else f"{before} scripts"
        where = "the script below contains them" if self.triage.history else "see `history/`"
        return f"The same process had answered {scripts} before: {where}."

    @property
    def _at_check(self) -> str:
        check = self.triage.judgement.check
        return f" at check-sat number {check + 1}" if check else ""

    @property
    def evidence(self) -> str:
        """The evidence; long proofs are mentioned and left out."""
        parts = []
        for each in self.triage.judgement.evidence:
            fits = len(each.details) <= _LONGEST_DETAILS and each.details.count("\n") <= _MOST_DETAILS
            is_script = each.kind != _PROOF and self.triage.judgement.defect != Defect.CRASH
            language = "smt2" if is_script else "text"
            text = f"\n\n{fenced(each.details, language)}" if fits and each.details else ""
            parts.append(f"{each.text}{text}")
        return "\n\n".join(parts)

    @property
    def options(self) -> str:
        options = [option for option in self.triage.options if option.is_needed]
        if options:
            return "\n".join(
                f"Needed: {_option_words(option.option)}. Without it the answer is `{option.without}`."
                for option in options
            )
        idle = ", ".join(_option_words(option.option) for option in self.triage.options)
        return f"Default options ({idle} makes no difference)." if idle else "Default options."

    @property
    def releases(self) -> str:
        bisection = self.triage.bisection
        text = "Other releases were not tested."
        if bisection is not None and bisection.rows:
            text = f"{capital_sentence(bisection)}.\n\n{release_table(bisection)}"
        return "\n\n".join(filter(None, (text, self._newer_upstream, self._commits, self._retested)))

    @property
    def _newer_upstream(self) -> str:
        """A note on a newer release that is not in the package index, and so was not tested."""
        profile = BY_PRODUCT.get(self.triage.product)
        newer = profile.newest_without_package if profile is not None else ""
        return f"{self.solver} {newer} has no package in the index and was not tested." if newer else ""

    @property
    def _commits(self) -> str:
        """The commits that introduced and fixed the bug."""
        words = {False: "First bad commit", True: "Fixed by commit"}
        return "\n".join(f"{words[commit.is_fix]}: {commit}." for commit in self.triage.commits)

    @property
    def _retested(self) -> str:
        """What re-tests have shown since."""
        last = self.life.last
        if last is None or last.state not in {FindingState.FIXED, FindingState.BACK}:
            return ""
        return f"Re-tested: {last.text}."

    @property
    def state(self) -> str:
        """The state for the checklist, with the address where it is reported."""
        last = self.life.last
        text = last.text if last is not None else str(FindingState.TRIAGED)
        return text if self.life.url in text else f"{text} (reported: {self.life.url})"

    @property
    def reproducibility(self) -> str:
        cold, seeds = self.triage.cold, self.triage.other_seeds
        if not cold.of:
            return "Not reproduced in fresh processes."
        others = f", and in {seeds} with other random seeds" if seeds.of else ""
        return f"Reproduced in {cold} fresh processes{others}."

    @property
    def origin(self) -> str:
        """How the finding was made: strategy, seed and steps."""
        record, reduction = self.record, self.triage.reduction
        seeds = ", ".join(PurePath(name).name for name, _text in record.seeds)
        source = f", seed {seeds}" if seeds else ""
        how = f" (strategy {record.strategy}{source})" if record.strategy != NO_STRATEGY else ""
        verb = "Found" if how else "Examined"
        text = f"{verb} by falsum {__version__}, an SMT solver fuzzer{how}."
        if reduction is not None and reduction.length < reduction.length_before:
            text += (
                f" Reduced from {reduction.length_before} to {reduction.length} bytes"
                f" in {reduction.tests} tests"
            )
            text += f"; at every step {reduction.manner}." if reduction.manner else "."
        return text


def release_table(bisection: Bisection) -> str:
    """The answers of releases; neighbouring releases with equal answers share a row."""
    lines = ["| release | | answer |", "| --- | --- | --- |"]
    start = 0
    for place, row in enumerate(bisection.rows):
        last = place + 1 == len(bisection.rows)
        if last or (bisection.rows[place + 1].standing, bisection.rows[place + 1].said) != (
            row.standing,
            row.said,
        ):
            first = bisection.rows[start].release
            span = first if start == place else f"{first} … {row.release} ({place - start + 1})"
            text = row.said.replace("|", "\\|").replace("`", "'")
            lines.append(f"| {span} | {row.standing} | `{text}` |")
            start = place + 1
    return "\n".join(lines)


def _option_words(option: str) -> str:
    """An option of the solver or the script, or the mode in which the solver is run."""
    name, _, value = option.partition("=")
    return MEANINGS[value] if name == MODE and value in MEANINGS else f"`{option}`"
