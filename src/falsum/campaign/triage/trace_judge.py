"""Who is wrong where a library contradicts somebody: its trace is put to solvers as a script.

A library may say to calls what it does not say to the same script: then the others' word, and its own, stand
against it.
"""

from __future__ import annotations

from typing import Final

from falsum.api.traces.trace import Trace
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.errors import FalsumError
from falsum.oracles.finding import Subject
from falsum.oracles.judge.independence import product_of
from falsum.oracles.judge.judge import judge
from falsum.oracles.judge.judgement import WRONG_VERDICTS, Evidence, Judgement
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord

_CONTRADICTIONS: Final = frozenset(["api-verdict", "api-one-shot", "api-again"])
_LIMITS: Final = Limits(seconds=5.0)
_SECONDS: Final = 10.0  # the campaign waits for it


def heard(record: FindingRecord, small: Trace) -> Judgement | None:
    """The judge's word on a contradiction; None where it is none, cannot be asked, or stays open."""
    if record.kind not in _CONTRADICTIONS or not record.script or record.trace is None:
        return None
    library = record.trace.solver
    jury = _jury(library)
    names = [solver.name for solver in jury]
    with LiveLab(jury, _LIMITS) as lab:
        judged = judge(record.script, (), names, lab, about=Subject.VERDICT, seconds=_SECONDS)
        if judged.suspects:
            return judged if library in judged.suspects else None
        said = {name: lab.ask(Request(name, record.script, cold=True)).verdicts[-1:] for name in names}
    return _against(library, _last(small), {name: verdicts[0] for name, verdicts in said.items() if verdicts})


def _jury(library: str) -> list[Solver]:
    found, zoo = [], Zoo()
    for name in dict.fromkeys((library, *DEFAULT_SOLVERS)):
        try:
            found.append(resolve(name, zoo))
        except FalsumError:  # a library without a program, or a product that is not there
            continue
    return found


def _last(trace: Trace) -> str:
    """What the library said to the check in question, the last one."""
    return next((step.reply.text for step in reversed(trace.steps) if step.line.word == "check"), "")


def _against(library: str, word: str, said: dict[str, Verdict]) -> Judgement | None:
    """All that decide say the opposite, and one of them is of another product."""
    decided = {name: verdict for name, verdict in said.items() if verdict.decided}
    others = [name for name in decided if product_of(name) != product_of(library)]
    if word not in ("sat", "unsat") or not others or len(set(decided.values())) > 1:
        return None
    truth = decided[others[0]]
    if truth == word:
        return None
    told = f"{', '.join(decided)} say {truth} to the same assertions as a script, {library} {word} to calls."
    return Judgement(WRONG_VERDICTS[truth], (library,), truth, (Evidence("script", told),))
