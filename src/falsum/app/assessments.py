"""What falsum can say of models, cores, optima and synthesised functions, for `falsum solve`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from falsum.app import exit_codes
from falsum.app.terminal import echo
from falsum.defects.case import Case
from falsum.defects.evidence.assessment import Assessment, assess_model
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.synthesis import (
    INFEASIBLE,
    assess_grammar,
    assess_solution,
    problem_text,
    solution_of,
)
from falsum.defects.kinds.wrong_core import assess_core
from falsum.defects.kinds.wrong_optimum import assess_optimum
from falsum.errors import UsageError
from falsum.smtlib import Script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver
from falsum.strategies.mutant import Mutant

# What one that is right, and one that is wrong, is said to be.
_CLAIMS: Final = {
    "model": ("the model satisfies the script", "the model does not satisfy the script"),
    "core": ("the core is unsat", "the core is not unsat"),
    "optimum": ("the optimum is right", "the optimum is wrong"),
    "solution": ("the solution satisfies the constraints", "the solution does not satisfy the constraints"),
    "grammar": ("the solution follows the grammar", "the solution does not follow the grammar"),
    INFEASIBLE: ("there is no solution", "there is a solution"),
}


def assess_answers(
    session: EvidenceSession, answers: dict[str, Answer]
) -> Iterator[tuple[str, str, Assessment]]:
    """The models and cores that were printed, each with what falsum can say of it."""
    for name, answer in answers.items():
        if answer.model is not None and answer.verdict is Verdict.SAT:
            yield name, "model", assess_model(session.flat, answer.model)
        if answer.core is not None and (assessment := assess_core(session, name)) is not None:
            yield name, "core", assessment


def assess_optima(script: str, lab: Lab) -> Iterator[tuple[str, str, Assessment]]:
    """What the solvers give as the optimum of an objective, each with what falsum can say of it."""
    case = Case(Mutant(script))
    for solver in lab.solvers:
        if (assessment := assess_optimum(case, solver, lab)) is not None:
            yield solver, "optimum", assessment


def show_assessment(file: str, name: str, what: str, assessment: Assessment, *, as_json: bool) -> None:
    if as_json:
        line = {"file": file, "solver": name, what: assessment.word, "reason": assessment.reason}
        echo(json.dumps(line))
        return
    right, wrong = _CLAIMS[what]
    text = {True: right, False: wrong, None: f"cannot say whether {right}"}[assessment.holds]
    echo(f"{name}: {text}: {assessment.reason}")


def synthesise(file: str, script: Script, solvers: list[Solver], limits: Limits, *, as_json: bool) -> int:
    """Solutions of a synthesis problem, each with what falsum can say of it; the exit code."""
    able = [solver for solver in solvers if solver.profile.synthesis_arguments is not None]
    if not able:
        product = next(p.product for p in BY_PRODUCT.values() if p.synthesis_arguments is not None)
        raise UsageError(
            f"{file}: a synthesis problem, which none of the solvers solves; add --solver {product}"
        )
    holds: dict[str, bool | None] = {}
    infeasible = []
    with LiveLab(solvers, limits) as lab:
        for solver in able:
            answer = lab.ask(Request(solver.name, problem_text(script), cold=True))
            solution = solution_of(answer)
            _show_solution(file, solver, answer, solution, as_json=as_json)
            if solution == INFEASIBLE:
                infeasible.append(solver.name)
            elif solution is not None:
                holds[solver.name] = _assess(file, script, solution, solver.name, lab, as_json=as_json)
    contradicted = infeasible if True in holds.values() else []
    for name in contradicted:
        wrong = Assessment(False, "another solver has a solution")
        show_assessment(file, name, INFEASIBLE, wrong, as_json=as_json)
    return exit_codes.FOUND if contradicted or False in holds.values() else 0


def _assess(file: str, script: Script, solution: str, name: str, lab: Lab, *, as_json: bool) -> bool | None:
    """Show whether a solution is right and follows its grammar."""
    assessments = {"solution": assess_solution(script, solution, name, lab)}
    if (follows := assess_grammar(script, solution)) is not None:
        assessments["grammar"] = follows
    for what, assessment in assessments.items():
        show_assessment(file, name, what, assessment, as_json=as_json)
    truths = [assessment.holds for assessment in assessments.values()]
    return False if False in truths else None if None in truths else True


def _show_solution(file: str, solver: Solver, answer: Answer, solution: str | None, *, as_json: bool) -> None:
    if as_json:
        line = {"file": file, "solver": solver.name, "version": solver.version, **answer.plain()}
        echo(json.dumps(line | {"solution": solution}))
        return
    text = "no solution" if solution is None else INFEASIBLE if solution == INFEASIBLE else "a solution"
    echo(f"{solver.name}  {text}  {answer.seconds:.2f} s{'' if answer.finished else f'  {answer.ending}'}")
    if solution not in (None, INFEASIBLE):
        echo(str(solution))
