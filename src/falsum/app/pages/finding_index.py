"""FindingIndex: what the list of findings shows, kept in memory and brought up to date step by step.

The result of triage and the states are in files. A folder is read again only when its time stamp has changed;
files of falsum are always replaced, never written in place.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from falsum.api.trace import read_trace
from falsum.campaign.triage import result
from falsum.campaign.triage.groups import groups_of
from falsum.campaign.triage.result import Triage
from falsum.defects.identity.fingerprint import parse_fingerprint
from falsum.defects.identity.signature import operators_of
from falsum.errors import FalsumError, SurroundingsError
from falsum.smtlib import read_script
from falsum.smtlib.theories import OPERATORS
from falsum.solvers.names import product_of
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.records import ListedFinding
from falsum.store.states import FindingState, state_of
from falsum.store.store import FINDINGS

_LONGEST_SCRIPT: Final = 1 << 16
# Grouping compares findings with each other: when it takes long, it is done less often.
_GROUPING_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in the list; `group` is the digest of the group's leader, "" if it is in none.

    `text` is what is searched, in lower case.
    """

    digest: str
    folder: str
    kind: str
    defect: str
    products: tuple[str, ...]
    release: str
    theories: tuple[str, ...]
    state: str
    state_text: str
    suspects: tuple[str, ...]
    evidence: str
    size: int
    count: int
    first_seen: float
    last_seen: float
    is_library: bool
    is_open: bool
    text: str
    group: str = ""
    group_size: int = 1

    @property
    def what(self) -> str:
        """The judged defect, or the kind if the finding is not triaged."""
        return self.defect or self.kind


@dataclass(frozen=True, slots=True)
class IndexedFindings:
    """The findings at one moment, the latest first."""

    rows: tuple[FindingRow, ...] = ()
    by_digest: Mapping[str, FindingRow] | None = None

    def find(self, digest: str) -> FindingRow | None:
        return (self.by_digest or {}).get(digest)

    def group(self, leader: str) -> list[FindingRow]:
        return [row for row in self.rows if row.group == leader]


class FindingIndex:
    """The index of one store; `refresh` is called by one thread, `current` may be read by all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FINDINGS
        self._listed: dict[str, ListedFinding] = {}
        self._rows: dict[str, FindingRow] = {}
        self._stamps: dict[str, int] = {}
        self._triages: dict[str, Triage] = {}
        self._groups: dict[str, tuple[str, int]] = {}
        self._groups_are_old = False
        self._next_grouping = 0.0
        self._moment = 0.0
        self.current = IndexedFindings()

    def refresh(self, store: StoreReader, step: Callable[[str], None] | None = None) -> bool:
        """Read what has changed; return whether anything has."""
        new_folders = self._take_rows(store)
        base, stamps = str(self._folder), self._stamps
        for name, finding in list(self._listed.items()):
            stamp = _stamp(f"{base}/{name}")
            if stamp != stamps.get(name) or name in new_folders:
                new_folders.add(name)
                self._read(finding, stamp)
                if step is not None:
                    step(name)
        regrouped = self._regroup()
        if new_folders or regrouped:
            self._publish()
        return bool(new_folders or regrouped)

    def _take_rows(self, store: StoreReader) -> set[str]:
        """The folders of findings that are new or were seen again."""
        findings = store.findings_since(self._moment)
        new = sum(one.folder not in self._listed for one in findings)
        if len(self._listed) + new != store.finding_count():
            findings = store.findings()  # merged from elsewhere, with times of their own
        new_folders = {one.folder for one in findings if self._listed.get(one.folder) != one}
        self._listed.update((one.folder, one) for one in findings)
        self._moment = max((one.last_seen for one in findings), default=self._moment)
        return new_folders

    def _read(self, finding: ListedFinding, stamp: int) -> None:
        name = finding.folder
        before = self._rows.get(name)
        if before is not None and stamp == self._stamps.get(name):
            self._rows[name] = replace(before, count=finding.count, last_seen=finding.last_seen)
            return
        self._stamps[name] = stamp
        try:
            triage = result.read(self._folder / name)
            self._rows[name] = _row(finding, self._folder / name, triage)
        except SurroundingsError as error:
            triage = None
            self._rows[name] = _unreadable(finding, str(error))
        if triage is not None:
            self._triages[name] = triage
            self._groups_are_old = True
        elif self._triages.pop(name, None) is not None:
            self._groups_are_old = True

    def _regroup(self) -> bool:
        if not self._groups_are_old or time.monotonic() < self._next_grouping:
            return False
        start = time.monotonic()
        groups = groups_of({Path(name): triage for name, triage in self._triages.items()})
        self._groups = {
            member.name: (self._listed[group.leader.name].digest, len(group.members))
            for group in groups
            for member in group.members
        }
        self._groups_are_old = False
        now = time.monotonic()
        self._next_grouping = now + (now - start) / _GROUPING_SHARE
        return True

    def _publish(self) -> None:
        rows = []
        for name, row in self._rows.items():
            leader, size = self._groups.get(name, ("", 1))
            rows.append(row if row.group == leader and row.group_size == size
                        else replace(row, group=leader, group_size=size))  # fmt: skip
        rows.sort(key=lambda row: (-row.last_seen, row.digest))
        self.current = IndexedFindings(tuple(rows), {row.digest: row for row in rows})


def _stamp(folder: str) -> int:
    """When a file of a folder was last replaced; this is cheap, because it runs on thousands of folders every
    second.
    """
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 - a Path for each would take longer than the rest
    except OSError:
        return -1  # removed by somebody


def _row(finding: ListedFinding, folder: Path, triage: Triage | None) -> FindingRow:
    state = state_of(folder, is_triaged=triage is not None)
    suspects = triage.judgement.suspects if triage is not None else ()
    evidence = triage.judgement.evidence if triage is not None else ()
    products = dict.fromkeys(map(product_of, suspects or finding.suspects))
    theories = _theories(folder, triage)
    text = evidence[0].text if evidence else finding.evidence
    words = (finding.digest, finding.kind, text, state.text, *(suspects or finding.suspects), *theories)
    defect = "" if triage is None else str(triage.judgement.defect)
    return FindingRow(
        digest=finding.digest,
        folder=finding.folder,
        kind=finding.kind,
        defect=defect,
        products=tuple(products),
        release="" if triage is None else triage.release,
        theories=theories,
        state=str(state.state),
        state_text=state.text,
        suspects=suspects or finding.suspects,
        evidence=text,
        size=0 if triage is None else len(triage.script),
        count=finding.count,
        first_seen=finding.first_seen,
        last_seen=finding.last_seen,
        is_library=finding.kind.startswith("api-"),
        is_open=state.state.is_open,
        text=" ".join((*words, defect)).lower(),
    )


def _unreadable(finding: ListedFinding, why: str) -> FindingRow:
    """The row of a finding whose files are damaged or gone."""
    return FindingRow(
        finding.digest, finding.folder, finding.kind, "", tuple(map(product_of, finding.suspects)), "", (),
        str(FindingState.NEW), "unreadable", finding.suspects, why, 0, finding.count, finding.first_seen,
        finding.last_seen, finding.kind.startswith("api-"), is_open=True,
        text=f"{finding.digest} {why.lower()}",
    )  # fmt: skip


def _theories(folder: Path, triage: Triage | None) -> tuple[str, ...]:
    """The theories of the reduced script, or of the calls; () if they are not known."""
    if triage is not None:
        fingerprint = parse_fingerprint(triage.signature)
        if fingerprint is not None and fingerprint.operators:
            return fingerprint.theories
        if triage.script and not triage.is_library:
            return _theories_of(triage.script)
    record = finding_folder.read(folder)
    if record.trace is None:
        return _theories_of(record.script)
    try:
        lines = read_trace(record.trace.small).lines
    except FalsumError:
        return ()
    words = {line.args[0].partition("[")[0] for line in lines if line.word in ("term", "extra") and line.args}
    theories = {OPERATORS[word].theory for word in words if word in OPERATORS}
    return tuple(sorted(theories - {"Core"}))


def _theories_of(script: str) -> tuple[str, ...]:
    if len(script) > _LONGEST_SCRIPT:
        return ()
    try:
        theories, _operators = operators_of(read_script(script).assertions)
    except (FalsumError, RecursionError):
        return ()
    return tuple(theories)
