"""A script and its reference must have the same verdicts, so a model of one that satisfies the other as well
shows which of a solver's two answers is wrong.
"""

from __future__ import annotations

import msgspec

from falsum.errors import FalsumError
from falsum.oracles.judge.evidence_for_sat import as_definitions
from falsum.oracles.model_check import satisfies
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.store.records import FindingRecord


def with_witness(record: FindingRecord, lab: Lab) -> FindingRecord:
    """The finding about the one of the two scripts that is wrongly called unsat, with a model of it.

    The finding as it is where no model can be verified: then either answer may be the wrong one.
    """
    if record.reference is None or record.claim is not None:
        return record
    pair = (record.script, record.reference)
    for solver in record.suspects:
        for unsat, sat in (pair, pair[::-1]):
            witness = _common_model(solver, unsat, sat, lab)
            if witness is not None:
                return msgspec.structs.replace(record, script=unsat, claim=(Verdict.SAT,), witness=witness)
    return record


def _common_model(solver: str, unsat: str, sat: str, lab: Lab) -> str | None:
    """The solver's model of one script if it satisfies the other, which the solver calls unsat."""
    answer = lab.ask(Request(solver, sat, Want.MODEL, cold=True))
    if answer.verdicts != (Verdict.SAT,) or answer.model is None:
        return None
    if lab.ask(Request(solver, unsat, cold=True)).verdicts != (Verdict.UNSAT,):
        return None
    try:
        flat = at_check(read_script(unsat), 0)
    except FalsumError:
        return None
    if flat is None or not satisfies(flat, answer.model).holds:
        return None
    return as_definitions(flat, answer.model)
