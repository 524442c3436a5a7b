"""Material: a triaged finding as the parts of a report, in plain words, whatever the tracker."""

from __future__ import annotations

import platform
import shlex
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from falsum import __version__
from falsum.campaign.triage.bisection import Bisection, sentence
from falsum.campaign.triage.result import Triage
from falsum.campaign.triage.symptom import Kind
from falsum.errors import ScriptError
from falsum.oracles.identity.signature import operators_of
from falsum.oracles.judge.judgement import Defect
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.profiles import BY_PRODUCT
from falsum.store.records import FindingRecord

_LONGEST_DETAILS: Final = 1500
_MOST_DETAILS: Final = 25
_LONGEST_OUTPUT: Final = 2000
_LONGEST_MESSAGE: Final = 80
_SAT: Final = {Verdict.SAT: "satisfiable", Verdict.UNSAT: "unsatisfiable"}

# What people call the theories before the word "formula"; the others by their own names.
_PLAIN: Final = {
    "ArraysEx": "array",
    "Bags": "bag",
    "Datatypes": "datatype",
    "FiniteFields": "finite field",
    "FixedSizeBitVectors": "bit-vector",
    "FloatingPoint": "floating-point",
    "Relations": "relation",
    "Sequences": "sequence",
    "Sets": "set",
    "Strings": "string",
    "quantifiers": "quantified",
    "uf": "UF",
}


@dataclass(frozen=True, slots=True)
class Material:
    """A finding and what triage made of it."""

    record: FindingRecord
    triage: Triage

    @property
    def title(self) -> str:
        triage, about = self.triage, self._about
        match triage.judgement.defect:
            case Defect.REFUTATION_UNSOUNDNESS:
                return f"Refutation unsoundness: unsat for a satisfiable {about} formula"
            case Defect.SOLUTION_UNSOUNDNESS:
                return f"Solution unsoundness: sat for an unsatisfiable {about} formula"
            case Defect.INVALID_MODEL:
                return f"Invalid model for {_article(about)} {about} formula"
            case Defect.CRASH:
                message = triage.symptom.message if triage.symptom else ""
                return f"Crash on {_article(about)} {about} formula: {_short(message, _LONGEST_MESSAGE)}"
            case word:
                return f"{str(word).capitalize()}: {about}"

    @property
    def _about(self) -> str:
        """The theories in a few words."""
        try:
            theories, _operators = operators_of(read_script(self.triage.script).assertions)
        except ScriptError:
            theories = []
        words = [_PLAIN.get(theory, theory.lower()) for theory in theories[:3]]
        return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "Boolean"

    @property
    def version(self) -> str:
        how = "the Python wheel" if self.triage.is_library else "its program"
        return f"{self.triage.product} {self.triage.release}, {how}"

    @property
    def installation(self) -> str:
        packages = BY_PRODUCT[self.triage.product].packages if self.triage.product in BY_PRODUCT else ()
        return f"`pip install {packages[0]}=={self.triage.release}`" if packages else "a binary"

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
        """What the suspect was given, with the requests it needs."""
        return (self.triage.posed or self.triage.script).strip() + "\n"

    @property
    def expected(self) -> str:
        symptom = self.triage.symptom
        if symptom is not None and symptom.kind is Kind.CRASH:
            return "Any answer, without a crash."
        if symptom is not None and symptom.kind is Kind.INVALID_MODEL:
            return "A model that satisfies every assertion."
        truth = self.triage.judgement.truth
        if truth is None:
            return "It is not known who is right."
        return f"`{truth}`{self._at_check}. The script is {_SAT[truth]}."

    @property
    def actual(self) -> str:
        triage = self.triage
        if triage.symptom is None:
            before = len(triage.history or self.record.history) - 1
            where = "the script below has all of it" if triage.history else "see `history/`"
            asked = f" The same process was asked {_counted(before)} before: {where}." if before > 0 else ""
            return f"{self.record.evidence}.{asked}"
        said = triage.symptom.observed
        if triage.symptom.kind is Kind.CRASH:
            said = "A crash" if not triage.output else "A crash:"
            return f"{said}{_fenced(_short(triage.output, _LONGEST_OUTPUT))}"
        if triage.symptom.kind is Kind.INVALID_MODEL:
            return f"`sat`, with a model that is none:{_fenced(_short(triage.output, _LONGEST_OUTPUT))}"
        return f"`{said}`{self._at_check}"

    @property
    def _at_check(self) -> str:
        check = self.triage.judgement.check
        return f" at check number {check + 1}" if check else ""

    @property
    def evidence(self) -> str:
        """Why it is wrong; long proofs are named and left out."""
        parts = []
        for each in self.triage.judgement.evidence:
            fits = len(each.details) <= _LONGEST_DETAILS and each.details.count("\n") <= _MOST_DETAILS
            shown = _fenced(each.details, "smt2") if fits else ""
            parts.append(f"{each.text}{shown}")
        return "\n\n".join(parts)

    @property
    def options(self) -> str:
        needed = [option for option in self.triage.options if option.is_needed]
        spare = [option for option in self.triage.options if not option.is_needed]
        if not needed:
            idle = f" ({', '.join(f'`{o.option}`' for o in spare)} makes no difference)" if spare else ""
            return f"Default options{idle}."
        return "\n".join(
            f"`{option.option}` is needed: without it the answer is `{option.without}`." for option in needed
        )

    @property
    def releases(self) -> str:
        found = self.triage.bisection
        if found is None or not found.rows:
            return "Not looked at."
        return f"{sentence(found).capitalize()}.\n\n{table(found)}"

    @property
    def reproducibility(self) -> str:
        triage = self.triage
        seeds = f"; with other random seeds {triage.other_seeds}" if triage.other_seeds.of else ""
        return f"It shows {triage.cold} times in fresh processes{seeds}."

    @property
    def origin(self) -> str:
        """How it was found."""
        record, reduction = self.record, self.triage.reduction
        seeds = ", ".join(PurePath(name).name for name, _text in record.seeds)
        made = f"by its strategy {record.strategy}" + (f" from {seeds}" if seeds else "")
        text = f"Found by falsum {__version__}, a fuzzer of SMT solvers, {made}."
        if reduction is not None:
            text += (
                f" Made small by its reducer from {reduction.length_before} to {reduction.length} bytes"
                f" in {reduction.tests} tests"
            )
            text += f"; at every step {reduction.manner}." if reduction.manner else "."
        return text


def table(found: Bisection) -> str:
    """Releases that say the same follow each other in one line."""
    lines = ["| release | | answer |", "| --- | --- | --- |"]
    start = 0
    for place, row in enumerate(found.rows):
        last = place + 1 == len(found.rows)
        if last or (found.rows[place + 1].standing, found.rows[place + 1].said) != (row.standing, row.said):
            first = found.rows[start].release
            span = first if start == place else f"{first} … {row.release} ({place - start + 1})"
            said = row.said.replace("|", "\\|").replace("`", "'")
            lines.append(f"| {span} | {row.standing} | `{said}` |")
            start = place + 1
    return "\n".join(lines)


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def _counted(scripts: int) -> str:
    return f"{scripts} scripts" if scripts > 1 else "one script"


def _fenced(text: str, language: str = "") -> str:
    """A block of code that nothing inside can close."""
    if not text:
        return ""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"\n\n{fence}{language}\n{text.strip()}\n{fence}"


def _short(text: str, most: int) -> str:
    flat = text.strip()
    return flat if len(flat) <= most else flat[: most - 1] + "…"
