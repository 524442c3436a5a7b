"""Baseline: the findings that are known before a campaign starts; only others are reported."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from falsum.campaign.triage import result
from falsum.campaign.triage.result import Triage
from falsum.defects.identity.known import Known, recognised
from falsum.store.archive import opened_store
from falsum.store.records import FindingRecord
from falsum.store.states import FindingState, state_of


@dataclass(frozen=True, slots=True)
class Baseline:
    """`signatures` are those of findings as they were found, `known` those after reduction.

    Fixed findings are not in it: if one shows again, it is reported.
    """

    signatures: frozenset[str]
    known: tuple[Known, ...]

    def has(self, record: FindingRecord) -> bool:
        """Whether a finding is the same as one of the baseline, as far as can be told before triage."""
        return _nameless(record.signature, record.suspects) in self.signatures

    def recognises(self, triage: Triage) -> str:
        """The finding of the baseline that equals a triaged one; "" if it is new."""
        recognition = recognised(triage.signature, self.known)
        return str(recognition) if recognition is not None else ""


def read_baseline(path: Path) -> Baseline:
    """The findings of a store, or of an archive written by `falsum findings export --store`."""
    signatures, entries = set(), []
    with opened_store(path) as (contents, folders):
        for one in contents.findings:
            folder = folders / one.folder
            triage = result.read(folder)
            if state_of(folder, is_triaged=triage is not None).state is FindingState.FIXED:
                continue
            signatures.add(_nameless(one.signature, one.suspects))
            if triage is not None:
                entries.append(Known(signature=triage.signature, note=f"{one.digest} of the baseline"))
    return Baseline(frozenset(signatures), tuple(entries))


def _nameless(signature: str, suspects: Iterable[str]) -> str:
    """A signature without the names of solvers, because a build has another name in every checkout."""
    names = sorted({"+".join(sorted(suspects)), *suspects}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, names)), "", signature) if names else signature
