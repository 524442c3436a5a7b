"""Triage of a finding in a library: its trace is judged, also as a script that other solvers are asked.

Its trace was made small when it was confirmed; what is left is who is wrong, and what it is known by.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec

from falsum.api.trace import Trace, read_trace
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.campaign.triage.result import EvidenceRecord, JudgementRecord, ReductionRecord, Triage
from falsum.errors import FalsumError
from falsum.oracles.finding import Subject
from falsum.oracles.identity.fingerprint import Fingerprint
from falsum.oracles.judge.independence import product_of
from falsum.oracles.judge.judge import judge
from falsum.oracles.judge.judgement import WRONG_VERDICTS, Defect, Evidence, Judgement
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.messages import without_call_noise
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve_received
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord, TraceRecord

# By the kind of a finding; any other kind stays undecided, unless the judge decides it.
_DEFECTS: Final = {
    "api-crash": Defect.CRASH,
    "api-exception": Defect.CRASH,
    "api-memory": Defect.CRASH,
    "api-model": Defect.INVALID_MODEL,
    "api-value": Defect.INVALID_MODEL,
    "api-revised": Defect.INVALID_MODEL,
    "api-core": Defect.WRONG_CORE,
    "api-assumptions": Defect.WRONG_ASSUMPTIONS,
    "api-leak": Defect.STATE_LEAK,
}
# Kinds of findings in which a verdict contradicts another one.
_CONTRADICTIONS: Final = frozenset(["api-verdict", "api-one-shot", "api-again", "api-history"])
_JUDGE_SECONDS: Final = 10.0


def triage_trace(record: FindingRecord, trace: TraceRecord, limits: Limits, zoo: Zoo) -> Triage:
    small = read_trace(trace.small)
    judgement = _judged(record, trace, small, limits, zoo)
    return Triage(
        digest=record.digest,
        judgement=judgement,
        script=trace.small,
        signature=_fingerprint(record, trace, judgement.defect, small).signature,
        suspect=trace.solver,
        product=product_of(trace.solver),
        release=trace.version,
        is_library=True,
        reduction=ReductionRecord(
            len(trace.whole), len(trace.small), 0, 0.0, "", is_confirmed=True, flickers=False
        ),
    )


def _judged(
    record: FindingRecord, trace: TraceRecord, small: Trace, limits: Limits, zoo: Zoo
) -> JudgementRecord:
    """By the kind of the finding; of a contradiction the judge says who is wrong."""
    evidence = EvidenceRecord(record.kind, record.evidence, trace.small)
    defect = _DEFECTS.get(record.kind, Defect.UNDECIDED)
    try:
        judgement = _judged_as_script(record, trace, small, limits, zoo)
    except FalsumError as error:  # the finding is reported all the same
        failed = EvidenceRecord("judge", f"The judge could not ask the solvers: {error}", "")
        return JudgementRecord(defect, record.suspects, None, (evidence, failed))
    if judgement is None:
        return JudgementRecord(defect, record.suspects, None, (evidence,))
    judged = JudgementRecord.of(judgement)
    return msgspec.structs.replace(judged, evidence=(*judged.evidence, evidence))


def _judged_as_script(
    record: FindingRecord, trace: TraceRecord, small: Trace, limits: Limits, zoo: Zoo
) -> Judgement | None:
    """The judgement on a contradiction; None if it is none, has no script, or stays open.

    A library may answer calls otherwise than the same script: then the other solvers' answers, and its own to
    the script, speak against it.
    """
    if record.kind not in _CONTRADICTIONS or not record.script:
        return None
    library = trace.solver
    solvers = _solvers(library, zoo)
    names = [solver.name for solver in solvers]
    with LiveLab(solvers, limits) as lab:
        judged = judge(record.script, (), names, lab, about=Subject.VERDICT, seconds=_JUDGE_SECONDS)
        if judged.suspects:
            return judged if library in judged.suspects else None
        last = {name: lab.ask(Request(name, record.script, cold=True)).verdicts[-1:] for name in names}
    return _contradicted(
        library, _last_verdict(small), {name: said[0] for name, said in last.items() if said}
    )


def _solvers(library: str, zoo: Zoo) -> list[Solver]:
    """The product itself as a program, and the solvers that come with falsum."""
    found = []
    for name in dict.fromkeys((library, *DEFAULT_SOLVERS)):
        try:
            found.append(resolve_received(name, zoo))
        except FalsumError:  # a library without a program, or a product that is not installed
            continue
    return found


def _last_verdict(trace: Trace) -> str:
    return next((step.reply.text for step in reversed(trace.steps) if step.line.word == "check"), "")


def _contradicted(library: str, word: str, said: dict[str, Verdict]) -> Judgement | None:
    """A judgement if all that decide say the opposite, and one of them is another product."""
    decided = {name: verdict for name, verdict in said.items() if verdict.decided}
    others = [name for name in decided if product_of(name) != product_of(library)]
    if word not in ("sat", "unsat") or not others or len(set(decided.values())) > 1:
        return None
    truth = decided[others[0]]
    if truth == word:
        return None
    text = f"{', '.join(decided)} say {truth} to the same assertions as a script, {library} {word} to calls."
    return Judgement(WRONG_VERDICTS[truth], (library,), truth, (Evidence("script", text),))


def _fingerprint(record: FindingRecord, trace: TraceRecord, defect: Defect, small: Trace) -> Fingerprint:
    """A message tells a crash from another; what the trace is made of tells everything else apart."""
    operators = Counter(
        line.args[0].partition("[")[0].partition("@")[0]
        for line in small.lines
        if line.word in ("term", "extra")
    )
    theories = {OPERATORS[name].theory for name in operators if name in OPERATORS}
    options = tuple(sorted(line.args[0] for line in small.lines if line.word == "set-option"))
    is_crash = defect is Defect.CRASH
    place = without_call_noise(record.evidence).replace("|", "/") if is_crash else record.kind
    counts = tuple(sorted(operators.items()))
    return Fingerprint(str(defect), product_of(trace.solver), place, tuple(sorted(theories)), counts, options)
