"""Answers of solvers to a seed: whether they read it, the verdicts they agree on, a verified model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

from falsum.errors import ScriptError
from falsum.smtlib import Script, print_script
from falsum.smtlib.at_check import is_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want

# A mutant may always be this long, however short the seed.
MIN_LENGTH: Final = 400
_SECONDS: Final = 0.2
# Solvers that decide every check; further ones are not asked.
_ENOUGH_SOLVERS = 2
# Evaluation steps allowed for one assertion.
EVALUATION_STEPS: Final = 200_000
# A seed comes again, with another partner for example, and solvers' answers are remembered: so is what the
# evaluator found out, by model and script.
_WITNESSES: Final[LRUCache[tuple[str, str], str]] = LRUCache(128)


def is_accepted(text: str, lab: Lab | None) -> bool:
    """Whether the first solver of a lab reads a script; a time-out is no rejection. True without solvers."""
    if lab is None or not lab.solvers:
        return True
    return lab.ask(Request(lab.solvers[0], text, seconds=_SECONDS)).ending.kind is not EndingKind.REJECTED


def count_checks(script: Script) -> int:
    return sum(map(is_check, script.commands))


def agreed_verdicts(text: str, checks: int, lab: Lab | None) -> tuple[Verdict | None, ...]:
    """The verdict of every check, by two solvers if two decide it, otherwise by one.

    None for a check that no solver decides, or on which solvers contradict each other. The lab caches
    answers, so repeated requests cost nothing.
    """
    verdicts: list[Verdict | None] = [None] * checks
    contradicted: set[int] = set()
    deciding = 0
    for solver in lab.solvers if lab is not None and checks else ():
        assert lab is not None
        answers = lab.ask(Request(solver, text)).verdicts
        for check, verdict in enumerate(answers[:checks]):
            earlier = verdicts[check]
            if earlier is not None and verdict.contradicts(earlier):
                contradicted.add(check)
            elif verdict.decided:
                verdicts[check] = verdict
        deciding += len(answers) >= checks and all(verdict.decided for verdict in answers)
        if deciding == _ENOUGH_SOLVERS:
            break
    return tuple(None if check in contradicted else verdict for check, verdict in enumerate(verdicts))


@dataclass(frozen=True, slots=True)
class SeedStatus:
    """The verdict of a flat seed, None if unknown; `witness` is a model that satisfies every assertion."""

    verdict: Verdict | None
    witness: str = ""


def status_of(flat: Script, lab: Lab | None) -> SeedStatus:
    """The status of a flat script. A model that the evaluator verifies counts more than any verdict."""
    if lab is None or not lab.solvers:
        return SeedStatus(None)
    text = print_script(flat)
    # Nobody else need be asked if the first solver has such a model.
    witness = _witness(lab.solvers[0], text, flat, lab)
    if witness:
        return SeedStatus(Verdict.SAT, witness)
    (verdict,) = agreed_verdicts(text, 1, lab)
    if verdict is Verdict.UNSAT:
        return SeedStatus(verdict)
    for solver in lab.solvers[1:]:
        witness = _witness(solver, text, flat, lab)
        if witness:
            return SeedStatus(Verdict.SAT, witness)
    return SeedStatus(verdict)


def _witness(solver: str, text: str, flat: Script, lab: Lab) -> str:
    """A model by which the script is sat, as text; "" if the solver has none that can be verified."""
    if lab.ask(Request(solver, text)).verdict is not Verdict.SAT:
        return ""
    model = lab.ask(Request(solver, text, Want.MODEL)).model
    if model is None:
        return ""
    witness = _WITNESSES.get((model, text))
    if witness is None:
        witness = _WITNESSES[model, text] = _verified(model, flat)
    return witness


def write_witness(model: Model, flat: Script) -> tuple[str, Model]:
    """A model as text, and as that text reads back, without those choices of a solver that cannot be
    written.
    """
    witness = print_model(model, declared_functions(flat))
    return witness, read_model(witness, flat)


def _verified(model: str, flat: Script) -> str:
    """A solver's model as a witness if every assertion is true under it, "" otherwise."""
    try:
        witness, read_back = write_witness(read_model(model, flat), flat)
    except ScriptError:
        return ""  # a dialect that falsum does not read
    return witness if all(truth is True for truth in truths(flat, read_back, EVALUATION_STEPS)) else ""
