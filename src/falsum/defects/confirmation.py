"""Confirmation: a finding is reproduced in fresh processes before it is believed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.finding import FLAKY, Finding
from falsum.defects.kinds import state_leak
from falsum.solvers.answer import Exchange
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, RecordingLab

TIMES: Final = 3


def examine(oracle: Oracle, case: Case, lab: Lab) -> Finding | None:
    """Judge a case and confirm the finding, if there is one; it comes with the answers that show it."""
    recording = RecordingLab(lab)
    first = oracle.find(case, recording)
    if first is None:
        return None
    return confirmed(oracle, replace(first, exchanges=recording.exchanges), lab)


def confirmed(oracle: Oracle, first: Finding, lab: Lab) -> Finding | None:
    """The finding as fresh processes show it; a leak if only a running process does; otherwise a flaky
    finding.

    None if it is not shown every time and the oracle drops such findings.
    """
    case = first.case
    again: list[Finding] = []
    cold: list[Exchange] = []
    recording = RecordingLab(lab)
    for _ in range(TIMES):
        recording = RecordingLab(lab)
        finding = oracle.find(case, ColdLab(recording))
        if finding is not None and finding.kind == first.kind and finding.suspects == first.suspects:
            again.append(finding)
        elif oracle.drops_unconfirmed:
            return None
        cold += [t for t in recording.exchanges if t.request.solver in first.suspects]
    exchanges = first.exchanges + recording.exchanges
    if len(again) == TIMES:
        # The cold answers alone: they are what a maintainer can reproduce.
        return replace(again[-1], exchanges=recording.exchanges)
    if not again and (leaked := _only_warm(first, cold)):
        return replace(leaked, exchanges=exchanges)
    return replace(
        first,
        kind=FLAKY,
        seemed=first.kind,
        signature=f"{FLAKY} | {first.signature}",
        evidence=f"{first.evidence} (reproduced in {len(again)} of {TIMES} fresh processes)",
        exchanges=exchanges,
    )


def _only_warm(first: Finding, cold: list[Exchange]) -> Finding | None:
    """The finding as a leak, if the suspects end orderly in every fresh process and never show it there."""
    if not cold or not all(exchange.answer.is_complete for exchange in cold):
        return None
    for suspect in first.suspects:
        warm = [t.answer for t in first.exchanges if t.request.solver == suspect and not t.request.cold]
        fresh = [t.answer for t in cold if t.request.solver == suspect]
        if warm and fresh and all(state_leak.differ(warm[0], answer) for answer in fresh):
            return state_leak.leak_finding(first.case, suspect, warm[0], fresh[-1])
    if len(first.suspects) == 1 and first.kind != state_leak.LeakOracle.name:
        return replace(
            first,
            kind=state_leak.LeakOracle.name,
            signature=f"{state_leak.LeakOracle.name} | {first.signature}",
            evidence=f"only in a running process: {first.evidence}",
            needs_history=True,
        )
    return None
