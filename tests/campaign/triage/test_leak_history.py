"""Leaks: the history is made as short as it can be, kept, and replayed from the folder alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests.campaign.places import leaky
from tests.campaign.triage.test_steps import job, kept, record

from falsum.app.commands import replay
from falsum.app.report.parts import ReportParts
from falsum.campaign.triage import leak_history
from falsum.campaign.triage.steps import triage
from falsum.defects.evidence.judgement import Defect
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import ExchangeRecord

LAST = "(declare-const x Int)(assert (> x 5))(check-sat)\n"
POISON = "(declare-const y Int)(declare-const z Int)(assert (< 0 (abs y)))(assert (< z 3))(check-sat)\n"


def asked(count: int) -> list[str]:
    return [f"(declare-const v{n} Int)(assert (= v{n} {n}))(check-sat)\n" for n in range(count)]


@pytest.fixture
def history() -> tuple[str, ...]:
    others = asked(9)
    return (*others[:4], POISON, *others[4:], LAST)


def test_a_leak_is_made_small_and_replays_from_its_folder(tmp_path: Path, history: tuple[str, ...]) -> None:
    solver = leaky(tmp_path, "abs")
    # Oracles may have asked more after it.
    folder = kept(tmp_path / "findings", record("leak", solver, LAST, history=(*history, *asked(2))))
    triaged = triage(job(folder, solvers=()))
    assert triaged.judgement.defect == Defect.STATE_LEAK
    assert len(triaged.history) == 2
    assert "abs" in triaged.history[0]
    assert len(triaged.history[0]) < len(POISON)
    assert triaged.script == triaged.history[1]
    assert len(triaged.script) < len(LAST)
    assert triaged.cold.always
    assert triaged.posed.count("(reset)") == 1
    assert triaged.signature.startswith("state leak | ")
    assert "unsat when warm, sat when cold" in triaged.signature
    ran = subprocess.run([folder / "replay.sh"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    first, second = ran.stdout.split("== a fresh process")
    assert first.splitlines()[-3:] == ["== script 1 is answered", "unsat", "== script 2 is answered"]
    assert second.splitlines()[-2:] == ["sat", "the bug shows"]
    assert subprocess.run([folder / "replay.sh", "--fixed"], check=False).returncode == 0
    again = CliRunner().invoke(replay.command, [str(folder), "--solver", solver], catch_exceptions=False)
    assert again.exit_code == 1
    assert "leak: reproduced in 3 of 3 attempts" in again.output


@pytest.mark.parametrize("reproducible", [True, False])
def test_a_crash_that_only_a_running_process_shows_is_a_crash(tmp_path: Path, *, reproducible: bool) -> None:
    solver = leaky(tmp_path, "abs!")
    kept_history = (*asked(3), POISON, LAST) if reproducible else (LAST,)
    found = record("crash", solver, LAST, history=kept_history)
    crashed = ExchangeRecord(solver, "", (), LAST, "verdict", False, CRASHED.plain(), "", "")
    alone = ExchangeRecord(solver, "", (), LAST, "verdict", True, said("sat").plain(), "sat\n", "")
    folder = kept(tmp_path / "findings", msgspec.structs.replace(found, exchanges=(crashed, alone)))
    triaged = triage(job(folder, solvers=()))
    assert (triaged.judgement.defect, triaged.judgement.suspects) == (Defect.CRASH, (solver,))
    assert "does not crash (sat)" in triaged.judgement.evidence[0].text
    page = ReportParts(finding_folder.read(folder), triaged)
    signal = "SIGABRT" if reproducible else "SIGSEGV"
    after = "after `(reset)`" if reproducible else "in a process that has answered other scripts"
    assert triaged.resets is reproducible
    assert page.title == f"Crash {after}: signal: {signal}"
    assert page.expected == f"z3 should not crash {after}."
    assert "not known" not in page.expected + page.actual + page.evidence
    assert "```text\nsignal: SIG" in page.evidence
    if reproducible:
        assert len(triaged.history) == 2
        assert triaged.signature.startswith("crash | z3 | signal: SIGABRT after other scripts | ")
        assert "fatal error in leaky.cpp:12" in page.actual
        assert page.actual.endswith("had answered one script before: the script below contains them.")


def test_a_leak_that_is_not_triaged_replays_with_all_of_its_history(
    tmp_path: Path, history: tuple[str, ...]
) -> None:
    solver = leaky(tmp_path, "abs")
    folder = kept(tmp_path / "findings", record("leak", solver, LAST, history=history))
    assert leak_history.history_of(folder) == history
    again = CliRunner().invoke(replay.command, [str(folder), "--solver", solver], catch_exceptions=False)
    assert "unsat when warm, sat when cold" in again.output


def test_a_history_that_shows_nothing_is_said(tmp_path: Path) -> None:
    solver = leaky(tmp_path, "abs")
    folder = kept(tmp_path / "findings", record("leak", solver, LAST, history=(*asked(3), LAST)))
    triaged = triage(job(folder, solvers=()))
    assert (triaged.history, triaged.script) == ((), LAST)
    assert triaged.remarks == ("not reproduced by the last 4 scripts that the process was asked",)
    again = CliRunner().invoke(replay.command, [str(folder), "--solver", solver], catch_exceptions=False)
    assert again.exit_code == 0


def test_a_library_is_asked_in_its_own_way(tmp_path: Path) -> None:
    """The requests of `replay.sh` are what the process reads; an honest solver says the same twice."""
    solver = resolve("bitwuzla", Zoo())
    scripts = [f"(declare-const x (_ BitVec {n}))(assert (= x (bvnot x)))(check-sat)\n" for n in (3, 4)]
    folder = kept(tmp_path, record("leak", "bitwuzla", scripts[-1]))
    leak_history.write(folder, solver, scripts, "nothing")
    ran = subprocess.run([folder / "replay.sh"], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [
        f"== bitwuzla {solver.version}, 2 scripts: nothing",
        "== one process, all scripts",
        "unsat",
        "== script 1 is answered",
        "unsat",
        "== script 2 is answered",
        "== a fresh process, the last script alone",
        "unsat",
        "the bug is gone",
    ]


def said(*words: str, model: str | None = None) -> Answer:
    return Answer(tuple(map(Verdict, words)), FINISHED, model)


REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "unsupported"))
TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT))
CRASHED = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))


@pytest.mark.parametrize(
    ("warm", "cold", "shown"),
    [
        (said("sat", "unsat"), said("sat", "sat"), "unsat when warm, sat when cold"),
        (CRASHED, said("sat"), "crashed signal when warm, finished when cold"),
        (CRASHED, REJECTED, "crashed signal when warm, rejected when cold"),
        (CRASHED, TIMED_OUT, ""),
        (said("unknown"), said("sat"), ""),
        (said("sat"), said("sat"), ""),
        (
            said("sat", model="((define-fun x () Int 1))"),
            said("sat", model="((define-fun x () Int 6))"),
            "its model satisfies everything only when cold",
        ),
        (said("sat", model="((define-fun x () Int 7))"), said("sat", model="((define-fun x () Int 6))"), ""),
    ],
)
def test_how_warm_and_cold_differ(warm: Answer, cold: Answer, shown: str) -> None:
    assert leak_history.difference_of(warm, cold, LAST) == shown


def test_the_time_is_kept(tmp_path: Path, history: tuple[str, ...]) -> None:
    with leak_history.HistoryReplay(resolve(leaky(tmp_path, "abs"), Zoo()), Limits(seconds=10.0)) as player:
        assert leak_history.minimal_history(history, player, 0.0) == history


def test_settings_that_stay_are_another_process() -> None:
    solver = resolve("z3", Zoo())
    odd = f"(set-option :smt.arith.solver 2){LAST}"
    assert leak_history.history_of_process((POISON, odd, LAST, POISON), LAST, solver) == (POISON, LAST)
    assert leak_history.history_of_process((POISON, odd, LAST, odd), odd, solver) == (odd, odd)
    assert leak_history.history_of_process((), odd, solver) == ()
