"""Reduction of a finding's script, guided by what is known of the finding."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from falsum.campaign.triage.job import case_of
from falsum.campaign.triage.result import PassRecord, ReductionRecord
from falsum.campaign.triage.smaller_instance import BOUNDS, SmallerInstance, smaller_instance
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.recheck import case_of_text
from falsum.defects.same_defect import Kept, SameDefect
from falsum.errors import ScriptError
from falsum.reducer import Budget, Reduction, StopReason, reduce
from falsum.reducer.passes import ALL, KeepCore, Pass, ReplaceByModel, UndoMutations
from falsum.smtlib import Script, print_script, read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.store.records import FindingRecord

# The share of the time in which a smaller instance is looked for.
_BOUNDS_SHARE: Final = 0.2


def reduce_finding(
    record: FindingRecord,
    target_kept: Kept,
    solvers: Sequence[Solver],
    limits: Limits,
    seconds: float,
    jobs: int = 1,
) -> tuple[str, ReductionRecord]:
    """The smallest script found in the given time, and how; raises UsageError if the finding does not
    show now.
    """
    read = read_script(record.script)
    case = case_of_text(case_of(record), print_script(read))
    end = time.monotonic() + seconds
    with SameDefect(case, target_kept, partial(LiveLab, solvers), limits) as predicate:
        bounded = smaller_instance(record, case.text, predicate, solvers, limits, seconds * _BOUNDS_SHARE)
        result = reduce(
            read_script(bounded.text),
            predicate,
            passes=(*guided_passes(predicate, record, read, bounded.text), *ALL),
            jobs=jobs,
            budget=Budget(seconds=max(end - time.monotonic(), 0)),
            confirm=predicate.cold,
        )
        manner = predicate.manner
    return _recorded(result, record, manner, bounded)


def _recorded(
    result: Reduction, record: FindingRecord, manner: str, bounded: SmallerInstance
) -> tuple[str, ReductionRecord]:
    if result.stop is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    first = [PassRecord(BOUNDS, bounded.tests, 1)] if bounded.is_smaller else []
    passes = [PassRecord(one.name, one.tests, one.steps) for one in result.passes if one.steps]
    return result.text, ReductionRecord(
        length_before=len(record.script),
        length=len(result.text),
        tests=result.tests + bounded.tests,
        seconds=round(result.seconds, 2),
        stop=result.stop.value,
        is_confirmed=result.is_confirmed,
        flickers=result.is_flaky,
        manner=manner,
        passes=(*first, *passes),
        lengths=result.lengths,
    )


def may_replace(after: Judgement, before: Judgement) -> bool:
    """Whether the judgement on a reduced script is about the same defect as that on the original.

    A script without the part that makes it satisfiable turns an invalid model into a wrong *sat*.
    """
    if before.defect in (Defect.UNDECIDED, after.defect):
        return True
    turned = (before.defect, after.defect) == (Defect.INVALID_MODEL, Defect.SOLUTION_UNSOUNDNESS)
    return turned and not set(before.suspects).isdisjoint(after.suspects)


def guided_passes(predicate: SameDefect, record: FindingRecord, mutant: Script, golden: str) -> list[Pass]:
    """The passes that use the seed, a core or a model of this finding."""
    passes: list[Pass] = []
    if len(record.seeds) == 1 and (seed := _read(record.seeds[0][1])) is not None:
        passes.append(UndoMutations(mutant, seed))
    if predicate.kept.target is not None and predicate.kept.target.truth is not None:
        passes.append(KeepCore(predicate.core_of))
    if model := predicate.model_of(golden):
        passes.append(ReplaceByModel(model))
    return passes


def _read(text: str) -> Script | None:
    """The script of a seed; None if only some solver can read it."""
    try:
        return read_script(text)
    except ScriptError:
        return None
