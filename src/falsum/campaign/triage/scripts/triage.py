"""Triage of a finding in a script: judged, reduced, judged again, examined."""

from __future__ import annotations

import msgspec

from falsum.campaign.triage import result
from falsum.campaign.triage.job import claim_of
from falsum.campaign.triage.reduction import may_replace
from falsum.campaign.triage.result import JudgementRecord, Triage
from falsum.campaign.triage.scripts.examination import examine
from falsum.campaign.triage.scripts.leaks import triage_leak
from falsum.campaign.triage.scripts.reduction_step import reduce_script
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.defects import needs_history
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect
from falsum.defects.finding import FLAKY
from falsum.defects.judge import judge
from falsum.defects.kinds.wrong_verdict.reference_pair import refuted_script
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Want
from falsum.store.records import FindingRecord


def triage_script(session: TriageSession) -> Triage:
    """Judge, reduce, judge again and examine; each step is kept in the finding's folder."""
    record = session.record
    if record.kind == FLAKY:
        return session.summary(session.oracle_judgement(), record.script)
    if record.history or needs_history(record.kind):
        return triage_leak(session)
    record = session.record = _about_wrong_script(session)
    before = session.judge(record.script, claim_of(record))
    if before.defect == Defect.INVALID_MODEL:
        # Solvers print the model of the last check, so the check in question has to be the last.
        cut = until_check(record.script, before.check)
        record = session.record = msgspec.structs.replace(record, script=cut)
    script, reduction = reduce_script(session, before)
    after = before
    if script != record.script:
        after = session.judge(script, session.claim_left(reduction))
        if not may_replace(after, before):
            session.remarks.append("the reduced script is judged differently; the original is reported")
            script, after, reduction = record.script, before, None
    result.write(session.folder, result.REDUCED, script)
    result.write(session.folder, result.JUDGEMENT, JudgementRecord.of(after))
    target, suspect = session.target(after, script)
    if target is None or suspect is None:
        return session.summary(after, script, reduction)
    return examine(session, after, script, reduction, target, suspect)


def _about_wrong_script(session: TriageSession) -> FindingRecord:
    """The finding; if the reference is wrongly called unsat, or another script of a broken law is
    answered wrongly, it is about that script.
    """
    record = session.record
    if session.oracle.defect.relates_scripts:
        return _wrong_member(session)
    if record.reference is None or record.claim is not None:
        return record
    wrong = refuted_script(record.script, record.reference, record.suspects, session.lab)
    if wrong is None:
        return record
    return msgspec.structs.replace(record, script=wrong.script, claim=(Verdict.SAT,), witness=wrong.witness)


def _wrong_member(session: TriageSession) -> FindingRecord:
    """The finding as one about the wrongly answered script, among those whose answers contradict each
    other; unchanged if the judge cannot say which one that is.
    """
    record = session.record
    names = [solver.name for solver in session.solvers]
    own = (e.posed for e in record.exchanges if e.solver in record.suspects and e.want == Want.VERDICT)
    for script in dict.fromkeys((record.script, *own)):
        judgement = judge(script, record.suspects, names, session.lab, about=WRONG_VERDICT)
        wrong = judgement.defect in WRONG_VERDICTS.values() and not judgement.by_majority
        if wrong and not set(judgement.suspects).isdisjoint(record.suspects):
            return msgspec.structs.replace(record, script=script)
    return record
