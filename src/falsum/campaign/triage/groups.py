"""Groups of triaged findings that are probably one bug, each with a leader that is reported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.result import Triage
from falsum.defects.identity.fingerprint import parse_fingerprint
from falsum.defects.identity.groups import Group, Member, grouped
from falsum.defects.identity.known import Known


def groups_of(triages: Mapping[Path, Triage]) -> tuple[Group, ...]:
    """The groups; members are named by their folders. Findings without a fingerprint are left out."""
    members = []
    for folder, triage in triages.items():
        known_by = parse_fingerprint(triage.signature)
        if known_by is not None:
            members.append(Member(folder.name, known_by, len(triage.script), _fixed_in(triage.bisection)))
    return grouped(members)


def leaders(groups: tuple[Group, ...]) -> dict[str, str]:
    """For each folder of a finding in a group, the folder of the leader."""
    return {member.name: group.leader.name for group in groups for member in group.members}


def known_in_store(folder: Path, bisection: Bisection | None) -> tuple[Known, ...]:
    """The triaged findings in the same store that are not recognised as known themselves."""
    mine = _fixed_in(bisection)
    known = []
    for file in sorted(folder.parent.glob(f"*/{result.TRIAGE}")):
        if file.parent == folder:
            continue
        signature, fixed_in = _recognisable(file.parent, _changed(file))
        if signature and len({mine, fixed_in} - {""}) < 2:
            known.append(Known(signature=signature, note=f"the finding {file.parent.name} here"))
    return tuple(known)


def _changed(file: Path) -> int:
    """The time at which a file was changed; 0 if another worker has just begun its triage again."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


@lru_cache(1 << 16)
def _recognisable(folder: Path, _changed: int) -> tuple[str, str]:
    """The signature of a triaged finding, to recognise others by, and the release that fixes it.

    Cached until the file changes: a campaign compares every new finding with all others.
    """
    triage = result.read(folder)
    if triage is None or triage.known or parse_fingerprint(triage.signature) is None:
        return "", ""
    return triage.signature, _fixed_in(triage.bisection)


def _fixed_in(bisection: Bisection | None) -> str:
    """The release that fixes a finding. Scripts of one bug may show it from different releases on, but
    are fixed in the same one.
    """
    return bisection.fixed_in if bisection is not None and bisection.spans else ""
