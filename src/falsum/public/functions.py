"""The functions of `import falsum`: the work of the command line, for Python programs.

Scripts are texts or `Script`s, solvers are named as on the command line. What a function returns is a record
of plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random
from typing import Literal

from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.defects import judge as judging
from falsum.defects.evidence.judgement import Judgement
from falsum.errors import UsageError
from falsum.reducer import Budget, Reduction
from falsum.reducer import engine as reducer
from falsum.smtlib import Script, print_script, print_term, read_script, read_term
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.evaluation import evaluator
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.terms import Value
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import Answer
from falsum.solvers.inputs.safe_script import missing_part
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, find_strategy
from falsum.strategies.mutant import Mutant, Seed

_TIMEOUT = 10.0
_MEMORY = 2048
# What a strategy may wait for one answer.
_STRATEGY_LIMITS = Limits(seconds=5)


def evaluate(script: Script | str, model: str) -> list[bool | CannotSay]:
    """The truth of each assertion under a model, as a solver prints it or as definitions.

    In a script with checks, the assertions at the last one are evaluated.
    """
    read = _script(script)
    read = at_last_check(read) or read
    return evaluator.truths(read, read_model(model, read))


def evaluate_term(term: str, script: Script | str, model: str) -> str | CannotSay:
    """The value of a term under a model, in SMT-LIB; the script declares the term's symbols."""
    read = _script(script)
    interpretation, formula = read_model(model, read), read_term(term, read)
    payload = evaluator.payload_of(formula, interpretation)
    if isinstance(payload, CannotSay):
        return payload
    value = value_term(formula.sort, payload, interpretation.datatypes)
    if value is None or any(
        isinstance(part, Value) and isinstance(part.payload, Closure) for part in subterms(value)
    ):
        return CannotSay("the value cannot be written in SMT-LIB")
    return print_term(value)


def mutate(
    seeds: Script | str | Sequence[Script | str],
    strategy: str,
    *,
    rng: int = 0,
    solvers: Sequence[str] = (),
) -> Iterator[Mutant]:
    """Mutants of a seed, or of as many seeds as the strategy takes, until the strategy has no more.

    The strategy is named as on the command line: `opfuzz`, or several in a row: `typefuzz+opfuzz`. Some ask
    solvers for models or verdicts of the seed; they make nothing, or less, without any.
    """
    chosen_strategy = find_strategy(strategy, BY_NAME)
    seed_list = [seeds] if isinstance(seeds, Script | str) else list(seeds)
    if len(seed_list) < chosen_strategy.arity:
        raise UsageError(f"{strategy} needs {chosen_strategy.arity} seeds, not {len(seed_list)}")
    read = [Seed(f"seed {place}", print_script(_script(seed))) for place, seed in enumerate(seed_list, 1)]
    with ExitStack() as stack:
        lab = stack.enter_context(LiveLab(_resolved(solvers), _STRATEGY_LIMITS)) if solvers else None
        yield from chosen_strategy.mutants(read[: chosen_strategy.arity], Random(f"{rng}/0"), lab)


def solve(
    script: Script | str,
    solvers: Sequence[str] = DEFAULT_SOLVERS,
    *,
    want: Literal["verdict", "model", "core"] = "verdict",
    timeout: float = _TIMEOUT,
    memory: int = _MEMORY,
) -> dict[str, Answer]:
    """The answers of several solvers by their names, each from a fresh process.

    `timeout` is in seconds and `memory` in megabytes, for each solver.
    """
    text = _sendable(script)
    solver_list = _resolved(solvers)
    if not solver_list:
        raise UsageError("name at least one solver")
    limits = Limits(seconds=timeout, memory=memory)

    def answer(solver: Solver) -> Answer:
        with LiveLab([solver], limits) as lab:
            return lab.ask(Request(solver.name, text, Want(want), cold=True))

    with ThreadPoolExecutor(len(solver_list)) as pool:
        return dict(zip((solver.name for solver in solver_list), pool.map(answer, solver_list), strict=True))


def judge(
    script: Script | str,
    solvers: Sequence[str] = DEFAULT_SOLVERS,
    *,
    timeout: float = _TIMEOUT,
    memory: int = _MEMORY,
) -> Judgement:
    """Judge which of the solvers answers wrongly, if any, and by what evidence."""
    with LiveLab(_resolved(solvers), Limits(seconds=timeout, memory=memory)) as lab:
        return judging.judge(_sendable(script), (), lab.solvers, lab)


def reduce(
    script: Script | str,
    keeps: Callable[[str], bool],
    *,
    jobs: int = 1,
    tests: int | None = None,
    seconds: float | None = None,
) -> Reduction:
    """The smallest script found for which `keeps`, called with the text of a script, returns True.

    Every script it is called with is well-sorted. With more than one job it is called by several threads at a
    time. `tests` and `seconds` limit the reduction.
    """
    return reducer.reduce(_script(script), keeps, jobs=jobs, budget=Budget(tests, seconds))


def _script(script: Script | str) -> Script:
    return read_script(script) if isinstance(script, str) else script


def _text(script: Script | str) -> str:
    return script if isinstance(script, str) else print_script(script)


def _sendable(script: Script | str) -> str:
    """The text of a script; raises UsageError if solvers would not get all its declarations and
    assertions.
    """
    text = _text(script)
    if missing := missing_part(text):
        raise UsageError(f"the script cannot be sent as it is: {missing}")
    return text


def _resolved(names: Sequence[str]) -> list[Solver]:
    zoo = Zoo()
    return [resolve(name, zoo) for name in dict.fromkeys(names)]
