"""Reduces a script with falsum or with ddSMT, and finds out which readers accept the result."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from bench.reduction.script_growth import SameBug

from falsum.campaign.triage.reduction import guided_passes
from falsum.errors import ScriptError
from falsum.reducer import reduce
from falsum.reducer.passes import ALL
from falsum.smtlib import read_script
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.store.records import FindingRecord

READERS = ("z3", "cvc5")
_POLL_SECONDS = 0.5


def with_falsum(text: str, same: SameBug) -> tuple[str, int, float, bool]:
    """The result, the number of tests, CPU seconds of all processes, and whether it is confirmed."""
    record = FindingRecord("", "", (), "", "", "", "", 0, 0, "", text, (), (), None, "", None, ())
    before = _spent()
    script = read_script(text)
    with about(text, same) as predicate:
        passes = (*guided_passes(predicate, record, script, text), *ALL)
        result = reduce(script, predicate, passes=passes, confirm=predicate.cold)
    return result.text, result.tests, _spent() - before, result.is_confirmed


def about(text: str, same: SameBug) -> SameBug:
    """The predicate for another script that shows the same finding."""
    return SameBug(text, same.target, same.suspect, same.references, same.limits)


def _spent() -> float:
    """CPU seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def with_ddsmt(program: str, text: str, same: SameBug, limit: float) -> tuple[str, int, float, bool]:
    """The same by ddSMT: its best result so far if the limit is reached."""
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder, "in.smt2"), Path(folder, "out.smt2")
        # Translated for the release, since ddSMT does not do that.
        given.write_text(same.suspect.prepare(text, Want.VERDICT).text)
        options = ["-j", "1", "--ignore-err" if same.references else "--ignore-output"]
        if same.references:
            options += ["-c", " ".join(_silent(same.references[0], text, Path(folder, "reference")))]
        before = _spent()
        suspect = _silent(same.suspect, text, Path(folder, "suspect"))
        process = subprocess.Popen(
            [program, *options, str(given), str(out), *suspect],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        counted = _ends_within(process, limit)
        # If ddSMT was stopped, it may not have waited for all its children.
        spent, is_whole = max(counted, _spent() - before), not counted
        left = out.read_text(errors="replace") if out.exists() else text
        return left, 0, spent, is_whole


def _silent(solver: Solver, text: str, program: Path) -> list[str]:
    """The command line of a solver; for cvc5 a script that drops its standard error.

    ddSMT copies its program, which fails for an interpreter, and a cross check cannot have quotes.
    """
    words = solver.cold_program(solver.prepare(text, Want.VERDICT)).argv
    if solver.profile.product == "z3":
        return [*words]
    program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@" 2>/dev/null\n')
    program.chmod(0o700)
    return [str(program)]


def is_plain(text: str, same: SameBug) -> bool:
    """Whether a wrong verdict shows without translation for each solver, as ddSMT needs it."""
    posed = same.suspect.prepare(text, Want.VERDICT).text
    said = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "in.smt2")
        file.write_text(posed)
        for solver in (same.suspect, *same.references):
            command = [*_silent(solver, posed, Path(folder, "program")), str(file)]
            said.append(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return not same.references or (said[0] != said[1] and "error" not in " ".join(said))


def _ends_within(process: subprocess.Popen[bytes], limit: float) -> float:
    """0 if a process ends within a limit of CPU seconds, else the CPU seconds it took."""
    while process.poll() is None:
        time.sleep(_POLL_SECONDS)
        if (spent := _cpu_of(process.pid)) > limit:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return spent
    if process.returncode:
        raise RuntimeError(f"ddSMT ended with {process.returncode}")
    return 0.0


def _cpu_of(root: int) -> float:
    """CPU seconds of a process and all its descendants."""
    todo, spent = [root], 0
    while todo:
        home = Path(f"/proc/{todo.pop()}")
        try:
            fields = (home / "stat").read_text().rpartition(") ")[2].split()
            children = [(task / "children").read_text() for task in (home / "task").iterdir()]
        except (FileNotFoundError, ProcessLookupError):
            continue
        spent += sum(map(int, fields[11:15]))
        todo += [int(word) for some in children for word in some.split()]
    return spent / os.sysconf("SC_CLK_TCK")


def accepted(text: str, lab: LiveLab) -> set[str]:
    """The readers that accept a script, which is not solved."""
    read_only = text.replace("(check-sat)", "")
    endings = {name: lab.ask(Request(name, read_only, cold=True)).ending.kind for name in READERS}
    accepting = {name for name, ending in endings.items() if ending is EndingKind.FINISHED}
    try:
        read_script(text)
    except ScriptError:
        return accepting
    return accepting | {"falsum"}
