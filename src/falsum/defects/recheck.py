"""Whether a solver shows a defect: the one question that every command asks."""

from __future__ import annotations

from dataclasses import replace

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.evidence.judgement import Judgement
from falsum.defects.finding import Finding
from falsum.defects.kind import DefectKind, Sight
from falsum.defects.kinds.crash import CRASH_KIND
from falsum.defects.open_points import misreads_strings, touched
from falsum.defects.table import kind_named, kind_of, oracle_named, oracles_of
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import UsageError
from falsum.smtlib.evaluation.open_points import CODES, ESCAPES
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, RecordingLab
from falsum.solvers.names import release_of
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Mutant


def shows(target: Target, case: Case, solver: str, lab: Lab, *, strictly: bool = False) -> Sight:
    """Whether a solver of the lab shows the target in a case; the others are references.

    `strictly`: a crash with the very same message.
    """
    kind = kind_named(target.defect)
    return kind.shows(target, case, solver, lab, _oracle(target, kind), strictly=strictly)


def shows_as_release(target: Target, case: Case, solver: str, lab: Lab) -> Sight:
    """Whether a release shows the target; one that reads strings as was usual before the standard proves
    nothing.
    """
    sight = shows(target, case, solver, lab)
    may_misread = sight.standing is Standing.BAD and target.defect != CRASH_KIND.name
    if may_misread and not {ESCAPES, CODES}.isdisjoint(touched(case)) and misreads_strings(case, solver, lab):
        return replace(sight, standing=Standing.MISREADS)
    return sight


def found_again(oracle: Oracle, case: Case, suspects: tuple[str, ...], lab: Lab) -> Finding | None:
    """The finding of an oracle in a case, with the answers that show it, if it is about the same solvers."""
    recording = RecordingLab(lab)
    finding = oracle.find(case, recording)
    if finding is None or finding.kind != oracle.name or finding.suspects != suspects:
        return None
    return replace(finding, exchanges=recording.exchanges)


def target_of(
    judgement: Judgement, oracle: str, case: Case, lab: Lab, suspects: tuple[str, ...] = ()
) -> tuple[Target, str] | None:
    """The target, the newest suspect that shows it, and the plainest request that does.

    None if no suspect shows anything that can be looked for again.
    """
    kind = _kind(judgement, oracle)
    if kind is None:
        return None
    names = judgement.suspects or suspects
    # What an oracle has found may be judged as another kind than its own.
    own = [each.name for each in oracles_of(kind)]
    finder = oracle if oracle in own else own[0]
    for suspect in sorted(names, key=release_of, reverse=True):
        for want in dict.fromkeys((Want.VERDICT, case.want, Want.MODEL)):
            answer = lab.ask(Request(suspect, case.text, want, cold=True))
            target = kind.target(judgement, finder, want, answer)
            if target is None:
                continue
            target = target.on(case.text)
            if shows(target, case, suspect, ColdLab(lab, again=False)).standing is Standing.BAD:
                return target, suspect
    return None


def case_of_text(case: Case, text: str) -> Case:
    """The case with another script, without its claims; oracles draw the same."""
    return case if text == case.text else replace(case, mutant=Mutant(text), draw=case.draw_number)


def _kind(judgement: Judgement, oracle: str) -> DefectKind | None:
    if (kind := kind_of(judgement.defect)) is not None:
        return kind
    found_by = oracle_named(oracle).defect if oracle else None
    return found_by if found_by is not None and found_by.needs_oracle else None


def _oracle(target: Target, kind: DefectKind) -> Oracle:
    oracle = oracle_named(target.oracle) if target.oracle else oracles_of(kind)[0]
    if oracle.defect.name != kind.name:
        raise UsageError(f"the oracle {oracle.name} does not find {kind.name}")
    return oracle
