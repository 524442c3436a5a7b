"""Triage of what was found in a library: the same words as for other findings, from its small trace."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import msgspec

from falsum.api.traces.trace import Trace, read_trace
from falsum.campaign.library.judge import heard
from falsum.campaign.triage import result
from falsum.campaign.triage.result import EvidenceRecord, JudgementRecord, ReductionRecord, Triage
from falsum.errors import FalsumError
from falsum.oracles.identity.fingerprint import Fingerprint
from falsum.oracles.judge.judgement import Defect
from falsum.smtlib.theories import OPERATORS
from falsum.solvers.messages import without_call_noise
from falsum.store.records import FindingRecord, TraceRecord

# By the kind of a finding; whatever is not here has to be looked at.
_WORDS: Final = {
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
_TOLD: Final = frozenset([Defect.CRASH])


def triage(home: Path, record: FindingRecord) -> Triage:
    """Written to its folder."""
    trace = record.trace
    assert trace is not None
    small = read_trace(trace.small)
    judgement = _judged(record, small)
    made = Triage(
        digest=record.digest,
        judgement=judgement,
        script=trace.small,
        signature=_fingerprint(record, judgement.defect, small).signature,
        suspect=trace.solver,
        product=trace.solver.partition("@")[0],
        release=trace.version,
        is_library=True,
        reduction=_reduction(trace),
    )
    result.keep(home, result.TRIAGE, made)
    return made


def _judged(record: FindingRecord, small: Trace) -> JudgementRecord:
    """By the kind of the finding; who is wrong where somebody contradicts, the judge has to say."""
    assert record.trace is not None
    seen = EvidenceRecord(record.kind, record.evidence, record.trace.small)
    word = _WORDS.get(record.kind, Defect.UNDECIDED)
    try:
        told = heard(record, small)
    except FalsumError as error:  # a solver that does not start ends no campaign
        failed = EvidenceRecord("judge", f"The judge could not ask anybody: {error}", "")
        return JudgementRecord(word, record.suspects, None, (seen, failed))
    if told is None:
        return JudgementRecord(word, record.suspects, None, (seen,))
    judged = JudgementRecord.of(told)
    return msgspec.structs.replace(judged, evidence=(*judged.evidence, seen))


def _reduction(trace: TraceRecord) -> ReductionRecord:
    return ReductionRecord(len(trace.whole), len(trace.small), 0, 0.0, "", is_confirmed=True, flickers=False)


def _fingerprint(record: FindingRecord, word: Defect, small: Trace) -> Fingerprint:
    """A message tells a crash from another; what the trace is made of tells everything else apart."""
    assert record.trace is not None
    operators = Counter(
        line.args[0].partition("[")[0].partition("@")[0]
        for line in small.lines
        if line.word in ("term", "extra")
    )
    theories = {OPERATORS[name].theory for name in operators if name in OPERATORS}
    options = tuple(sorted(line.args[0] for line in small.lines if line.word == "set-option"))
    product = record.trace.solver.partition("@")[0]
    place = without_call_noise(record.evidence).replace("|", "/") if word in _TOLD else record.kind
    return Fingerprint(
        str(word), product, place, tuple(sorted(theories)), tuple(sorted(operators.items())), options
    )
