"""Groups of triaged findings: which are probably one bug, and which of them is to be reported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.result import Triage
from falsum.oracles.identity.fingerprint import parse_fingerprint
from falsum.oracles.identity.groups import Group, Member, grouped
from falsum.oracles.identity.known import Known


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


def known_in_store(home: Path, bisection: Bisection | None) -> tuple[Known, ...]:
    """The findings beside this one that were triaged before it and are not the same as others themselves."""
    found = []
    for other in sorted(home.parent.iterdir()):
        made = result.read(other) if other != home and other.is_dir() else None
        if made is None or made.known or parse_fingerprint(made.signature) is None:
            continue
        spans = {_fixed(bisection), _span(made)} - {""}
        if len(spans) < 2:
            found.append(Known(signature=made.signature, note=f"the finding {other.name} here"))
    return tuple(found)


def _span(made: Triage) -> str:
    return _fixed(made.bisection)


def _fixed(found: Bisection | None) -> str:
    """When it was fixed: two scripts of one bug may begin to show it in different releases."""
    return found.fixed_in if found is not None and found.spans else ""
