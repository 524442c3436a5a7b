"""The files of a triaged finding: the report, the checklist and the regression test."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from falsum.app.report import checklist, trackers
from falsum.app.report.library_parts import LibraryParts
from falsum.app.report.parts import ReportParts
from falsum.campaign.triage import result
from falsum.defects.table import kind_of
from falsum.errors import ScriptError, UsageError
from falsum.printable import on_one_line, printable
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.scripts import CheckSat, CheckSatAssuming, Command, SetInfo, SetLogic
from falsum.store import finding_folder
from falsum.store.states import read_life

CHECKLIST: Final = "checklist.md"
REGRESSION: Final = "regression.smt2"


def parts_of(folder: Path) -> ReportParts:
    triage = result.read(folder)
    if triage is None:
        raise UsageError(f"{folder.name} is not triaged yet; run: falsum findings triage {folder}")
    record = finding_folder.read(folder)
    shape = ReportParts if record.trace is None else LibraryParts
    return shape(record, triage, read_life(folder))


def write(folder: Path, to: Path | None = None, form: str = "") -> Path:
    """Write the files of a finding to its own folder or another; return the path of the report.

    The report is in the form of the suspect's tracker, or in that of another product.
    """
    parts, to = parts_of(folder), to or folder
    tracker = trackers.BY_PRODUCT[form] if form else trackers.tracker_of(parts.triage.product)
    newest = checklist.newest_release(parts.triage.product)
    result.write(to, result.REPORT, printable(tracker.report(parts)))
    result.write(to, CHECKLIST, printable(checklist.checklist(parts, newest)))
    if test := regression(parts):
        result.write(to, REGRESSION, test)
    return to / result.REPORT


def regression(parts: ReportParts) -> str:
    """The script for a test suite: the logic first, `:status` before each check whose verdict is known, and
    the commands that ask for what is wrong. "" for library calls without a script, and for defects that no
    script alone shows.
    """
    triage = parts.triage
    text = triage.script if parts.record.trace is None else parts.record.script
    if not text or triage.history:
        return ""
    kind = kind_of(triage.judgement.defect)
    is_alone = kind is None or not kind.relates_scripts
    asks_more = triage.judgement.truth is None and bool(triage.posed) and is_alone
    try:
        script = read_script(triage.posed if asks_more else text)
    except ScriptError:
        return text
    expected = f"; Expected: {on_one_line(parts.expected)}\n"
    judged_by = "solve" if is_alone else "report-bug"
    how = f"; A release with the bug fails this: falsum {judged_by} {REGRESSION} --solver {parts.solver}\n"
    logic = next((c for c in script.commands if isinstance(c, SetLogic)), SetLogic("ALL"))
    commands: list[Command] = [logic]
    check = -1
    for command in script.commands:
        if isinstance(command, SetLogic) or (isinstance(command, SetInfo) and command.keyword == ":status"):
            continue
        if isinstance(command, CheckSat | CheckSatAssuming):
            check += 1
            if triage.judgement.truth is not None and check == triage.judgement.check:
                commands.append(SetInfo(":status", str(triage.judgement.truth)))
        commands.append(command)
    if check < 0:
        commands.append(CheckSat())
    return expected + how + print_script(Script(tuple(commands)))
