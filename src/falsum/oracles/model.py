"""model: a solver's own model makes an assertion false under our evaluator.

Looks at the model of every check answered sat, each against the assertions in force at that check. A false
alarm would take: an evaluator that is wrong, or a model read wrongly. Only a plain *false* is evidence;
*cannot say* never is, and a solver that reads the script's strings in an old way is not taken at its word.
"""

from __future__ import annotations

from typing import Final

from falsum.errors import FalsumError
from falsum.oracles.case import Case
from falsum.oracles.finding import Finding, Subject
from falsum.oracles.identity import signature
from falsum.oracles.old_escapes import readings
from falsum.oracles.open_points import reads_strings_as_standard
from falsum.oracles.oracle import Oracle
from falsum.smtlib import Script, print_term
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.command_text import until_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Model as SmtModel
from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.terms import App, Function, Term
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want

# A mutant is worth a few milliseconds; what needs more is for the judge.
_STEPS: Final = 10_000
_MOST_CHECKS: Final = 6
_LONGEST_SHOWN: Final = 300


class Model(Oracle):
    name = "model"
    subject = Subject.MODEL
    want = Want.MODEL

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        if case.script is None:
            return None
        for solver in lab.solvers:
            for check, flat, text in self._models(case, case.script, solver, lab):
                wrong = falsified(flat, text, is_standard=True)
                if wrong is None or not reads_strings_as_standard(case.text, solver, lab):
                    continue
                if falsified(flat, text) is None and not reads_strings_as_standard(text, solver, lab):
                    continue
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(self.name, (solver,), case, (wrong,)),
                    evidence=f"{solver} says sat to check {check + 1}; its model falsifies {_shown(wrong)}",
                    case=case,
                )
        return None

    def _models(self, case: Case, script: Script, solver: str, lab: Lab) -> list[tuple[int, Script, str]]:
        """Number of the check, what was in force, and the model: wherever there is one."""
        answer = lab.ask(Request(solver, case.text, Want.MODEL))
        if Verdict.SAT not in answer.verdicts:
            return []
        found = []
        checks = list(at_each_check(script))
        for check, (flat, verdict) in enumerate(zip(checks, answer.verdicts, strict=False)):
            if verdict is not Verdict.SAT or (check >= _MOST_CHECKS and check + 1 < len(checks)):
                continue
            last = check + 1 == len(checks)
            # A model is given at the last check only; for an earlier one the script ends there.
            said = answer if last else lab.ask(Request(solver, until_check(case.text, check), Want.MODEL))
            if said.model is not None and said.finished and said.verdict is Verdict.SAT:
                found.append((check, flat, said.model))
        return found


def falsified(script: Script, model: str, steps: int = _STEPS, *, is_standard: bool = False) -> Term | None:
    """The first assertion of a flat script that a model, as a solver prints it, makes false.

    Where it has strings that older solvers mean in another way, it must be wrong in both, unless it is known
    that whoever wrote it keeps to the standard.
    """
    found = [_falsified(script, one, steps) for one in ((model,) if is_standard else readings(model))]
    return found[0] if all(term is not None for term in found) else None


def _falsified(script: Script, model: str, steps: int) -> Term | None:
    try:
        read = read_model(model, script)
        held = truths(script, read, steps)
    except FalsumError:
        return None  # a dialect of models we do not read proves nothing
    for term, value in zip(script.assertions, held, strict=True):
        if value is False and _covers(read, term, script):
            return term
    return None


def _covers(model: SmtModel, term: Term, script: Script) -> bool:
    """Whether the model has a say on every declared symbol of a term; what it leaves out may be anything."""
    declared = set(declared_functions(script))
    symbols = {part.head.symbol for part in subterms(term) if isinstance(part, App)}
    return all(
        symbol not in declared or symbol in model.definitions or symbol.name in model.named
        for symbol in symbols
        if isinstance(symbol, Function)
    )


def _shown(term: Term) -> str:
    text = print_term(term)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + " …"
