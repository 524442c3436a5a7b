"""Groups of triaged findings: which are probably one bug, and which of them is to be reported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from falsum.campaign.triaged import Triage
from falsum.oracles.fingerprint import parse_fingerprint
from falsum.oracles.grouping import Group, Member, grouped


def groups_of(found: Mapping[Path, Triage]) -> tuple[Group, ...]:
    """The groups; members are named by their folders. What was not made comparable is left out."""
    members = []
    for home, made in found.items():
        known_by = parse_fingerprint(made.signature)
        if known_by is not None:
            members.append(Member(home.name, known_by, len(made.script), _span(made)))
    return grouped(members)


def leaders(groups: tuple[Group, ...]) -> dict[str, str]:
    """For each folder of a finding in a group, its leader's."""
    return {member.name: group.leader.name for group in groups for member in group.members}


def _span(made: Triage) -> str:
    """When it was fixed: two scripts of one bug may begin to show it in different releases."""
    found = made.bisection
    return found.fixed_in if found is not None and found.spans else ""
