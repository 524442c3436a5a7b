"""A script and its reference, which must have the same verdicts: a model of one that satisfies the other
as well shows which of a solver's two answers is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from falsum.defects.evidence.evidence_for_sat import as_definitions
from falsum.defects.model_check import satisfies
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want


class RefutedScript(NamedTuple):
    """A script that a solver calls unsat, and a model of it."""

    script: str
    witness: str


def refuted_script(script: str, reference: str, suspects: Sequence[str], lab: Lab) -> RefutedScript | None:
    """The script of the two that a suspect wrongly calls unsat.

    None if no model can be verified: then either answer may be wrong.
    """
    for solver in suspects:
        for unsat, sat in ((script, reference), (reference, script)):
            witness = _common_model(solver, unsat, sat, lab)
            if witness is not None:
                return RefutedScript(unsat, witness)
    return None


def _common_model(solver: str, unsat: str, sat: str, lab: Lab) -> str | None:
    """The solver's model of one script if it satisfies the other, which the solver calls unsat."""
    answer = lab.ask(Request(solver, sat, Want.MODEL, cold=True))
    if answer.verdicts != (Verdict.SAT,) or answer.model is None:
        return None
    if lab.ask(Request(solver, unsat, cold=True)).verdicts != (Verdict.UNSAT,):
        return None
    try:
        read = read_script(unsat)
        flat = None if read.not_understood else at_check(read, 0)
    except FalsumError:
        return None
    if flat is None or not satisfies(flat, answer.model).holds:
        return None
    return as_definitions(flat, answer.model)
