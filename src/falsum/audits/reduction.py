"""Reduction of queries, while a solver loses what another decides, or while an answer is unstable."""

from __future__ import annotations

from dataclasses import dataclass

from falsum.audits.answers import Respondents
from falsum.audits.evidence import text_of_check
from falsum.audits.query.seeds import without_seeds
from falsum.audits.stability import KINDS, ask_variant
from falsum.errors import FalsumError, UsageError
from falsum.reducer import Budget, Predicate, reduce
from falsum.smtlib import print_script, read_script
from falsum.solvers.solver import Solver

# At the end of a reduction so many runs, each with another random seed, must show the loss; in between one.
_RUNS = 3
# Variants of which some must be decided and some not.
_VARIANTS = 2 * len(KINDS)


@dataclass(frozen=True, slots=True)
class SmallQuery:
    """A reduced query and a remark; `text` is "" if it could not be reduced."""

    text: str
    note: str


def small_loss(
    text: str, check: int, old: Solver, new: Solver, respondents: Respondents, seconds: float
) -> SmallQuery:
    """The check alone, reduced while `old` decides it and `new` does not."""
    return _small(
        text,
        check,
        lambda script: is_loss(script, old, new, respondents, runs=1),
        lambda script: is_loss(script, old, new, respondents),
        seconds,
    )


def small_instability(
    text: str, check: int, solver: Solver, respondents: Respondents, seconds: float
) -> SmallQuery:
    """The check alone, reduced while some of its variants are decided and some are not."""
    keeps: Predicate = lambda script: is_unstable(script, solver, respondents)  # noqa: E731
    return _small(text, check, keeps, keeps, seconds)


def is_loss(script: str, old: Solver, new: Solver, respondents: Respondents, *, runs: int = _RUNS) -> bool:
    """Whether `old` decides a script with one check, and `new` accepts but does not decide it."""
    return all(
        _decides(old, script, run, respondents) is True and _decides(new, script, run, respondents) is False
        for run in range(runs)
    )


def _decides(solver: Solver, script: str, run: int, respondents: Respondents) -> bool | None:
    """Whether a solver decides a script; None if it rejects it."""
    seeded, run_solver = (solver.seeded(run), without_seeds(script)) if run else (solver, script)
    answer = respondents.ask(seeded, run_solver, run)
    if answer.rejection or not answer.checks:
        return None
    return answer.checks[0].decided is not None


def is_unstable(script: str, solver: Solver, respondents: Respondents) -> bool:
    """Whether a solver decides some variants of a script with one check, and some not."""
    seen: set[bool] = set()
    for number in range(_VARIANTS):
        answer = ask_variant(respondents, solver, script, number)
        if answer.rejection or not answer.checks:
            return False
        seen.add(answer.checks[0].decided is not None)
        if len(seen) == 2:
            return True
    return False


def _small(text: str, check: int, keeps: Predicate, confirm: Predicate, seconds: float) -> SmallQuery:
    alone = text_of_check(text, check)
    try:
        script = read_script(alone)
    except FalsumError as error:
        return SmallQuery("", f"falsum cannot read it: {error}")
    try:
        result = reduce(script, keeps, budget=Budget(seconds=seconds), confirm=confirm)
    except UsageError:
        return SmallQuery("", "the check alone does not show it")
    before = len(print_script(script))
    remark = "" if result.is_confirmed else "; at the end it did not show once more"
    return SmallQuery(result.text, f"{before:,} → {len(result.text):,} bytes ({result.stop.value}{remark})")
