"""Evidence about Horn clauses: a clause that an invariant makes false, and a derivation of *false*.

Both are scripts without quantifiers whose models our evaluator verifies, for every choice at open points:
which solver has found the model, or what it is worth, does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from falsum.defects.case import Case
from falsum.defects.evidence.drawn_model import drawn_model
from falsum.defects.evidence.evidence_for_sat import as_definitions
from falsum.defects.evidence.judgement import Evidence
from falsum.defects.finding import shortened
from falsum.defects.model_check import falsified, satisfies
from falsum.defects.open_points import touched
from falsum.smtlib import Script, print_script, print_term, read_script
from falsum.smtlib.consequences.clauses import Clause, clauses_of
from falsum.smtlib.consequences.invariants import negated_clauses, read_invariant
from falsum.smtlib.consequences.unrolled_clauses import unrolled
from falsum.smtlib.evaluation.evaluator import STEPS
from falsum.smtlib.fragments.horn import HORN, is_horn
from falsum.smtlib.terms import Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.names import families
from falsum.solvers.request import Request, Want

# The depths to which clauses are unrolled, until there are too many uses of them.
DEPTHS: Final = (3, 6, 12, 24)


def horn_clauses(flat: Script) -> tuple[Clause, ...]:
    """The clauses of a script that names the logic HORN; none for any other."""
    return (clauses_of(flat) or ()) if flat.logic == HORN else ()


def is_horn_script(flat: Script) -> bool:
    """Whether a script is of Horn clauses, and asks for an engine that solves them."""
    return flat.logic == HORN and is_horn(flat)


def is_horn_case(case: Case) -> bool:
    """Whether a case is of Horn clauses at every check."""
    return HORN in case.text and bool(case.checks) and all(map(is_horn_script, case.checks))


def false_clause(case: Case, flat: Script, model: str, solver: str, lab: Lab) -> Evidence | None:
    """Evidence that a solver's model makes a clause of the script false; None if there is none."""
    false = falsified(flat, model, STEPS)
    if false is not None:
        text = (
            f"{_sentence(solver, false)} under it, the clause evaluates to false in falsum's own evaluator."
        )
        return Evidence("invariant", text, as_definitions(flat, model))
    read = read_invariant(flat, model)
    for clause, script in negated_clauses(flat, horn_clauses(flat), read) if read is not None else ():
        sentence = _sentence(solver, flat.assertions[clause.place])
        witness, agreeing = _witness(case, script, solver, lab)
        if witness:
            text = f"{sentence} its negation has this model, which falsum's own evaluator confirms."
            details = f"{script}; a model:\n{as_definitions(read_script(script), witness)}"
            return Evidence("invariant", text, details)
        if agreeing:
            return Evidence("agreement", f"{sentence} {agreeing} answer sat to its negation.", script)
    return None


def _sentence(solver: str, clause: Term) -> str:
    return f"{solver} answers sat, but its own model makes the clause {shortened(print_term(clause))} false:"


def derivation(flat: Script, solvers: Sequence[str], lab: Lab) -> Evidence | None:
    """A derivation of *false* that proves a script unsat; None if none is known."""
    for depth, script, model in _derivations(flat, solvers, lab):
        return Evidence(
            "derivation",
            f"The script is unsat: its clauses, unrolled to depth {depth}, lead to false. Under the model "
            "below, every step of this derivation evaluates to true in falsum's own evaluator.",
            f"{script}; a model:\n{as_definitions(read_script(script), model)}",
        )
    return None


def _derivations(flat: Script, solvers: Sequence[str], lab: Lab) -> Iterator[tuple[int, str, str]]:
    clauses = horn_clauses(flat)
    for depth in DEPTHS if clauses else ():
        unrolling = unrolled(flat, clauses, depth)
        if unrolling is None:
            return
        script = print_script(unrolling.script)
        for solver in solvers:
            answer = lab.ask(Request(solver, script, Want.MODEL))
            if (
                answer.verdict is Verdict.SAT
                and answer.model
                and satisfies(unrolling.script, answer.model).always
            ):
                yield depth, script, answer.model
            if answer.ending.kind is EndingKind.TIMED_OUT:
                return
            if answer.verdict is Verdict.UNSAT:
                break


def _witness(case: Case, script: str, solver: str, lab: Lab) -> tuple[str, str]:
    """A verified model of a script, whatever is chosen at open points; or else the solvers that agree that
    there is one: independent products, the suspect one of them.

    A solver besides the suspect that answers unsat ends the search. Where the standard leaves something of
    the case open, agreement shows nothing.
    """
    flat = read_script(script)
    if drawn := drawn_model(flat):
        return drawn, ""
    agreeing: list[str] = []
    for name in dict.fromkeys((solver, *lab.solvers)):
        answer = lab.ask(Request(name, script, Want.MODEL))
        if answer.verdict is Verdict.SAT:
            agreeing.append(name)
            if answer.model and satisfies(flat, answer.model).always:
                return answer.model, ""
        elif answer.verdict is Verdict.UNSAT and name != solver:
            return "", ""
    is_enough = solver in agreeing and len(families(agreeing)) > 1 and not touched(case)
    return "", ", ".join(agreeing) if is_enough else ""
