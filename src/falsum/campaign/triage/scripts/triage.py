"""Triage of a finding in a script: judged, reduced, judged again, examined."""

from __future__ import annotations

import msgspec

from falsum.campaign.triage import oracle_predicate, result
from falsum.campaign.triage.job import claim_of
from falsum.campaign.triage.reduction import may_replace
from falsum.campaign.triage.result import JudgementRecord, Triage
from falsum.campaign.triage.scripts.examination import examine, examine_by_oracle
from falsum.campaign.triage.scripts.leaks import triage_leak
from falsum.campaign.triage.scripts.reduction_step import reduce_script
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.defects import needs_history
from falsum.defects.evidence.judgement import Defect
from falsum.defects.evidence.reference_pair import refuted_script
from falsum.defects.finding import FLAKY, Subject
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
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
    if before.defect is Defect.INVALID_MODEL:
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
    symptom, suspect = session.symptom(after, script)
    if symptom is None or suspect is None:
        return examine_by_oracle(session, after, script, reduction)
    return examine(session, after, script, reduction, symptom, suspect)


def _about_wrong_script(session: TriageSession) -> FindingRecord:
    """The finding, about its reference if that is the one which is wrongly called unsat.

    If a law is broken, about the script of those asked that is answered wrongly.
    """
    record = session.record
    if session.oracle.subject is Subject.LAW:
        return oracle_predicate.wrong_member(record, session.solvers, session.lab)
    if record.reference is None or record.claim is not None:
        return record
    wrong = refuted_script(record.script, record.reference, record.suspects, session.lab)
    if wrong is None:
        return record
    return msgspec.structs.replace(record, script=wrong.script, claim=(Verdict.SAT,), witness=wrong.witness)
