"""Judges the reports of fuzzers: is anything wrong, and if so, which bug of the atlas is it?

A report is a bug of the pool if it gets the same kind of wrong answer from the last release that has the bug,
but not from the first one without it, and its assertions use all theories of the bug and some operator of it.
Of several such bugs it is the one whose operators are most alike. Two bugs of one kind, release and theories
may be taken for each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from falsum.atlas.bug import AtlasBug
from falsum.contest.benchmarks import Benchmark
from falsum.defects.case import Case
from falsum.defects.diagnosis import Diagnosis, diagnose
from falsum.defects.evidence.judgement import Defect
from falsum.defects.identity.signature import operators_of
from falsum.defects.recheck import shows_as_release
from falsum.defects.targets.standing import Standing
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

_LIMITS = Limits(seconds=20.0, cpu=2.0)


@dataclass(frozen=True, slots=True)
class Report:
    """A script that a fuzzer believes to show a bug, and the CPU seconds until it was reported."""

    script: str
    cpu: float


@dataclass(slots=True)
class Verdicts:
    """The verdicts on reports: `bugs` of the atlas and `others`, with the CPU seconds of the first
    report of each; the numbers of false alarms and of unclear reports.
    """

    bugs: dict[str, float] = field(default_factory=dict)
    others: dict[str, float] = field(default_factory=dict)
    false_alarms: int = 0
    unclear: int = 0
    judged: int = 0
    left: int = 0


def judged(reports: Iterable[Report], benchmark: Benchmark, most: int) -> Verdicts:
    """The verdicts on the reports of one trial, in their order; a limited number of different ones is
    judged.
    """
    verdicts = Verdicts()
    names = dict.fromkeys((benchmark.release, benchmark.reference))
    zoo = Zoo()
    seen: set[str] = set()
    with LiveLab([resolve(name, zoo) for name in names], _LIMITS) as lab:
        for report in sorted(reports, key=lambda each: each.cpu):
            digest = hashlib.sha256(" ".join(report.script.split()).encode()).hexdigest()
            if digest in seen:
                continue
            seen.add(digest)
            if verdicts.judged >= most:
                verdicts.left += 1
                continue
            verdicts.judged += 1
            _judge(report, benchmark, lab, verdicts)
    return verdicts


def _judge(report: Report, benchmark: Benchmark, lab: LiveLab, verdicts: Verdicts) -> None:
    release = benchmark.release
    try:
        diagnosis = diagnose(Case(Mutant(report.script)), lab, suspects=(release,), thoroughly=False)
    except FalsumError:
        verdicts.unclear += 1
        return
    judgement = diagnosis.judgement
    if release not in judgement.suspects or diagnosis.target is None:
        is_open = judgement.defect == Defect.UNDECIDED and not _in_order(diagnosis, benchmark)
        verdicts.unclear += is_open
        verdicts.false_alarms += not is_open
        return
    theories, operators = _features(diagnosis.case.text)
    bug = _bug(diagnosis, benchmark.bugs, theories, operators, lab)
    name = bug.name if bug is not None else f"{judgement.defect} {' '.join(sorted(theories))}"
    into = verdicts.bugs if bug is not None else verdicts.others
    into[name] = min(report.cpu, into.get(name, report.cpu))


def _in_order(diagnosis: Diagnosis, benchmark: Benchmark) -> bool:
    """Whether the release and the newest one both decide the script, and agree."""
    answers = [diagnosis.answers[name] for name in (benchmark.release, benchmark.reference)]
    first, other = (answer.verdicts for answer in answers)
    return all(answer.finished for answer in answers) and first == other and bool(first)


def _bug(
    diagnosis: Diagnosis,
    bugs: Sequence[AtlasBug],
    theories: frozenset[str],
    operators: frozenset[str],
    lab: LiveLab,
) -> AtlasBug | None:
    best, most = None, 0.0
    for bug in bugs:
        own_theories, own = _features(bug.script)
        alike = len(own & operators) / len(own | operators) if own | operators else 1.0
        may_be = bug.kind == diagnosis.judgement.defect and own_theories <= theories and alike > 0
        if may_be and alike > most and _ends_alike(diagnosis, bug, lab):
            best, most = bug, alike
    return best


def _ends_alike(diagnosis: Diagnosis, bug: AtlasBug, lab: LiveLab) -> bool:
    """Whether the last release with the bug shows the diagnosed defect, and the first one without it
    does not.
    """
    target = diagnosis.target
    assert target is not None
    expectations: Mapping[str, Standing] = {bug.last: Standing.BAD, bug.fixed: Standing.GOOD}
    zoo = Zoo()
    for name, standing in expectations.items():
        if name not in lab.solvers:
            lab.add(resolve(name, zoo))
        if shows_as_release(target, diagnosis.case, name, lab).standing is not standing:
            return False
    return True


def _features(text: str) -> tuple[frozenset[str], frozenset[str]]:
    try:
        theories, operators = operators_of(read_script(text).assertions)
    except FalsumError:
        return frozenset(), frozenset()
    return frozenset(theories), frozenset(operators or ["="])
