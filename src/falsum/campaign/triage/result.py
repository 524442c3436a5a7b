"""Triage: the results of triage for a finding, and the files in its folder that hold them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from falsum.campaign.triage.bisection import Bisection
from falsum.defects.evidence.judgement import Evidence, Judgement
from falsum.defects.targets.target import Target
from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.store import atomic
from falsum.store.records import FindingRecord

REDUCED: Final = "reduced.smt2"
POSED: Final = "posed.smt2"  # the same as the suspect gets it
REDUCTION: Final = "reduction.json"
JUDGEMENT: Final = "judgement.json"
BISECTION: Final = "bisection.json"
TRIAGE: Final = "triage.json"
REPORT: Final = "report.md"
LEAK: Final = "leak"  # a folder
ASKED: Final = (
    "asked-again"  # a folder: what solvers are asked about the reduced script, if it is several scripts
)
AGAIN: Final = "again"  # a folder: the finding, while it is triaged once more
ALL: Final = (REDUCED, POSED, REDUCTION, JUDGEMENT, BISECTION, TRIAGE, REPORT)
VERSION: Final = 2  # from 2 on, checks are counted from 1 in the files
_CHECK: Final = "check"

_Kept = TypeVar("_Kept", bound=msgspec.Struct)


class EvidenceRecord(msgspec.Struct, frozen=True):
    kind: str
    text: str
    details: str = ""


class JudgementRecord(msgspec.Struct, frozen=True):
    """A judgement as it is stored."""

    defect: str = msgspec.field(name="word")
    suspects: tuple[str, ...]
    truth: Verdict | None
    evidence: tuple[EvidenceRecord, ...]
    check: int = 0

    @classmethod
    def of(cls, judgement: Judgement) -> JudgementRecord:
        evidence = tuple(EvidenceRecord(e.kind, e.text, e.details) for e in judgement.evidence)
        return cls(judgement.defect, judgement.suspects, judgement.truth, evidence, judgement.check)

    @property
    def judgement(self) -> Judgement:
        evidence = tuple(Evidence(e.kind, e.text, e.details) for e in self.evidence)
        return Judgement(self.defect, self.suspects, self.truth, evidence, self.check)


class PassRecord(msgspec.Struct, frozen=True):
    """A reduction pass that made a script smaller, with its numbers of tests and successes."""

    name: str
    tests: int
    steps: int


class ReductionRecord(msgspec.Struct, frozen=True):
    """How a script was reduced; `manner` is how the truth was shown at every step.

    `lengths` are the script's lengths before the first step and after each.
    """

    length_before: int
    length: int
    tests: int
    seconds: float
    stop: str
    is_confirmed: bool
    flickers: bool
    manner: str = ""
    passes: tuple[PassRecord, ...] = ()
    lengths: tuple[int, ...] = ()


class OptionRecord(msgspec.Struct, frozen=True):
    """An option of the suspect or of the script; `without` is the answer without it."""

    option: str
    is_needed: bool
    without: str


class Reproduced(msgspec.Struct, frozen=True):
    """How often a finding was reproduced, and the number of attempts."""

    times: int
    of: int

    def __str__(self) -> str:
        return f"{self.times} of {self.of}"

    @property
    def always(self) -> bool:
        return self.of > 0 and self.times == self.of


class CommitRecord(msgspec.Struct, frozen=True):
    """A commit of the solver's repository; `date` is the author's, `is_fix` if it fixed the bug."""

    name: str
    date: str
    subject: str
    author: str = ""
    is_fix: bool = False

    def __str__(self) -> str:
        return f"{self.name} ({self.date[:10]}, {self.subject})"


class Triage(msgspec.Struct, frozen=True):
    """Everything a report needs besides the finding itself.

    `suspect` is the solver the report is about, `origin` where it comes from, `build` how a program that is
    no release of a package identifies itself; `command` is how its users call it, the file last; `script` is
    what is to be reported, `posed` the same as the suspect gets it, `evidence` what the oracle says of it
    where only the oracle can tell; `readers` are the products that accept it. `known` names the known finding
    that it equals, if any. `history` is for leaks: the minimal scripts for one process, with `script` last;
    `resets` if one file with `(reset)` between them crashes a fresh process as well. `commits` introduced or
    fixed it.
    """

    digest: str
    judgement: JudgementRecord
    script: str
    signature: str
    suspect: str = ""
    product: str = ""
    release: str = ""
    origin: str = ""
    build: str = ""
    is_library: bool = False
    command: tuple[str, ...] = ()
    posed: str = ""
    output: str = ""
    evidence: str = ""
    target: Target | None = None
    reduction: ReductionRecord | None = None
    bisection: Bisection | None = None
    options: tuple[OptionRecord, ...] = ()
    cold: Reproduced = Reproduced(0, 0)
    other_seeds: Reproduced = Reproduced(0, 0)
    readers: tuple[str, ...] = ()
    known: str = ""
    history: tuple[str, ...] = ()
    resets: bool = False
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0
    version: int = VERSION
    commits: tuple[CommitRecord, ...] = ()


def counted_from_one(record: object) -> Any:
    """A record as plain data, in which the first check is number 1, as in all text."""
    return _renumbered(msgspec.to_builtins(record), 1)


def _renumbered(data: Any, step: int) -> Any:
    # Records nest only a few levels deep.
    if isinstance(data, dict):
        return {
            key: value + step if key == _CHECK and isinstance(value, int) else _renumbered(value, step)
            for key, value in data.items()
        }
    return [_renumbered(each, step) for each in data] if isinstance(data, list) else data


def suspects_of(record: FindingRecord, triage: Triage | None) -> tuple[str, ...]:
    """The suspects: as judged, or before triage as the oracle suspects."""
    return (triage.judgement.suspects if triage is not None else ()) or record.suspects


def is_about_reference(record: FindingRecord, triage: Triage | None) -> bool:
    """Whether all suspects are references, which are not under test."""
    suspects = suspects_of(record, triage)
    return bool(suspects) and all(suspect in record.references for suspect in suspects)


def read(folder: Path) -> Triage | None:
    """The triage of the finding in this folder; None if it is not complete."""
    triage = load(folder, TRIAGE, Triage)
    return triage if triage is not None and triage.version == VERSION else None


def load(folder: Path, name: str, kind: type[_Kept]) -> _Kept | None:
    """The result of an earlier, perhaps interrupted triage; None if there is none that this release can
    read.
    """
    try:
        return msgspec.convert(_renumbered(msgspec.json.decode((folder / name).read_bytes()), -1), kind)
    except (FileNotFoundError, msgspec.DecodeError):  # ValidationError is a DecodeError
        return None
    except OSError as error:
        raise SurroundingsError(f"{folder / name}: {error.strerror}") from error


def write(folder: Path, name: str, content: msgspec.Struct | str) -> None:
    if not isinstance(content, str):
        content = msgspec.json.format(msgspec.json.encode(counted_from_one(content))).decode()
    atomic.write_file(folder / name, content)


def afresh(folder: Path) -> Path:
    """A new folder within the finding's, for repeated triage; the results stay until `adopt`."""
    again = folder / AGAIN
    shutil.rmtree(again, ignore_errors=True)
    results = shutil.ignore_patterns(AGAIN, LEAK, ASKED, *ALL)
    try:
        shutil.copytree(folder, again, ignore=results, symlinks=True)
    except (OSError, shutil.Error) as error:
        raise SurroundingsError(f"{again}: {error}") from error
    return again


def adopt(folder: Path) -> bool:
    """Replace the results of a finding by those in its new folder, if triage is complete there."""
    again = folder / AGAIN
    is_complete = read(again) is not None
    if is_complete:
        for name in (LEAK, ASKED):
            shutil.rmtree(folder / name, ignore_errors=True)
        fresh = sorted(again.rglob("*"), key=lambda path: path.name == TRIAGE)
        for path in fresh:
            target = folder / path.relative_to(again)
            if path.is_dir():
                target.mkdir(exist_ok=True)
            else:
                path.replace(target)
        for name in ALL:
            if not any(path.name == name for path in fresh):
                (folder / name).unlink(missing_ok=True)
    shutil.rmtree(again, ignore_errors=True)
    atomic.remove_scratch(folder)
    return is_complete
