"""Reduction of a finding's script, with all that is known of the finding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from falsum.campaign.triage.oracle_predicate import OraclePredicate, OracleTarget
from falsum.campaign.triage.predicate import Manner, ReductionTarget, SameFinding
from falsum.campaign.triage.result import PassRecord, ReductionRecord
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.errors import ScriptError
from falsum.reducer import Budget, Reduction, StopReason, reduce
from falsum.reducer.passes import ALL, KeepCore, Pass, ReplaceByModel, UndoMutations
from falsum.smtlib import Script, print_script, read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.store.records import FindingRecord


def reduce_finding(
    record: FindingRecord,
    target: ReductionTarget,
    solvers: Sequence[Solver],
    limits: Limits,
    seconds: float,
    jobs: int = 1,
) -> tuple[str, ReductionRecord]:
    """The smallest script found in the time given, and how; UsageError if the finding does not show now."""
    read = read_script(record.script)
    golden = print_script(read)
    with SameFinding(golden, target, partial(LiveLab, solvers), limits, record.witness) as predicate:
        result = reduce(
            read,
            predicate,
            passes=(*guided_passes(predicate, record, read, golden), *ALL),
            jobs=jobs,
            budget=Budget(seconds=seconds),
            confirm=predicate.cold,
        )
        manner = "" if predicate.manner is Manner.NONE else str(predicate.manner)
    return _recorded(result, record, manner)


def reduce_by_oracle(
    record: FindingRecord,
    target: OracleTarget,
    solvers: Sequence[Solver],
    limits: Limits,
    seconds: float,
    jobs: int = 1,
) -> tuple[str, ReductionRecord]:
    """The same where only the oracle that found it can tell whether a script shows it."""
    read = read_script(record.script)
    seed = _read(record.seeds[0][1]) if len(record.seeds) == 1 else None
    guided = (UndoMutations(read, seed),) if seed is not None else ()
    with OraclePredicate(record.script, target, partial(LiveLab, solvers), limits) as predicate:
        result = reduce(
            read,
            predicate,
            passes=(*guided, *ALL),
            jobs=jobs,
            budget=Budget(seconds=seconds),
            confirm=predicate.cold,
        )
    return _recorded(result, record, f"the oracle {target.oracle.name} finds the same again")


def _recorded(result: Reduction, record: FindingRecord, manner: str) -> tuple[str, ReductionRecord]:
    if result.stop is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return result.text, ReductionRecord(
        length_before=len(record.script),
        length=len(result.text),
        tests=result.tests,
        seconds=round(result.seconds, 2),
        stop=result.stop.value,
        is_confirmed=result.is_confirmed,
        flickers=result.is_flaky,
        manner=manner,
        passes=tuple(PassRecord(one.name, one.tests, one.steps) for one in result.passes if one.steps),
        lengths=result.lengths,
    )


def may_replace(after: Judgement, before: Judgement) -> bool:
    """Whether the judgement on a reduced script is about the same as that on the original.

    A script without the part that makes it satisfiable turns an invalid model into a wrong *sat*.
    """
    if before.defect in (Defect.UNDECIDED, after.defect):
        return True
    turned = (before.defect, after.defect) == (Defect.INVALID_MODEL, Defect.SOLUTION_UNSOUNDNESS)
    return turned and not set(before.suspects).isdisjoint(after.suspects)


def guided_passes(predicate: SameFinding, record: FindingRecord, mutant: Script, golden: str) -> list[Pass]:
    """The passes that use what is known of this finding: its seed, a core, a model."""
    found: list[Pass] = []
    if len(record.seeds) == 1 and (seed := _read(record.seeds[0][1])) is not None:
        found.append(UndoMutations(mutant, seed))
    if predicate.target.truth is not None:
        found.append(KeepCore(predicate.core_of))
    if model := predicate.model_of(golden):
        found.append(ReplaceByModel(model))
    return found


def _read(text: str) -> Script | None:
    """None for a seed that only some solver can read."""
    try:
        return read_script(text)
    except ScriptError:
        return None
