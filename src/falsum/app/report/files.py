"""Writing: the report, the checklist and the regression of a triaged finding, as files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from falsum.app.report import checklist, trackers
from falsum.app.report.contents import Material
from falsum.campaign.triage import result
from falsum.errors import ScriptError, UsageError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.scripts import CheckSat, CheckSatAssuming, Command, SetInfo, SetLogic
from falsum.store import finding_folder

CHECKLIST: Final = "checklist.md"
REGRESSION: Final = "regression.smt2"


def material_of(home: Path) -> Material:
    triage = result.read(home)
    if triage is None:
        raise UsageError(f"{home.name} is not triaged yet; try: falsum findings triage")
    return Material(finding_folder.read(home), triage)


def write(home: Path, to: Path | None = None, form: str = "") -> Path:
    """The files of one finding, in its own folder or another; the report's."""
    material, to = material_of(home), to or home
    made = trackers.ALL[form or trackers.form_of(material.triage.product)](material)
    newest = checklist.newest_release(material.triage.product)
    result.keep(to, result.REPORT, made)
    result.keep(to, CHECKLIST, checklist.checklist(material, newest))
    result.keep(to, REGRESSION, regression(material))
    return to / result.REPORT


def regression(material: Material) -> str:
    """The script as a developers' suite has it: the logic first, the right verdict before each check.

    Where we do not know what is right at a check, it says nothing.
    """
    triage = material.triage
    try:
        script = read_script(triage.script)
    except ScriptError:
        return triage.script
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
    return print_script(Script(tuple(commands)))
