"""`replay.sh`: its exit code says whether the bug still shows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from falsum.defects.targets.recognition import Sign, SignKind, of_answer, of_crash, of_text, of_verdict
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.replay_script import (
    ReplayRun,
    history_replay_script,
    library_replay_script,
    replay_script,
)

GONE, SHOWS, OPEN = 0, 1, 125


def answer(*words: str) -> Answer:
    return Answer(tuple(map(Verdict, words)), FINISHED)


def crash(cause: Cause, detail: str) -> Sign:
    return of_crash(Answer((), Ending(EndingKind.CRASHED, cause, detail)))


def replayed(folder: Path, body: str, sign: Sign, *arguments: str) -> int:
    program = folder / "solver"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    run = ReplayRun("my solver", "1.0", (str(program), "-x"), "a.smt2", "it", sign)
    (folder / "replay.sh").write_text(replay_script(folder, [run]))
    result = subprocess.run(
        ["sh", folder / "replay.sh", *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    return result.returncode


@pytest.mark.parametrize(
    ("sign", "body", "code"),
    [
        (of_answer(answer("sat", "unsat")), "echo sat; echo unsat", SHOWS),
        (of_answer(answer("sat", "unsat")), "echo sat; echo sat", GONE),
        (of_answer(answer("sat")), "echo hello; exit 1", GONE),
        (Sign(SignKind.MODEL), "echo sat", OPEN),
        (crash(Cause.SIGNAL, "SIGSEGV"), "kill -SEGV $$", SHOWS),
        (crash(Cause.SIGNAL, "SIGSEGV"), "echo sat", GONE),
        (crash(Cause.ASSERTION, "x $y `z` failed"), "echo 'Assertion x $y `z` failed at 3' >&2", SHOWS),
        (crash(Cause.ASSERTION, "x failed"), "echo 'another failed'; kill -ABRT $$", GONE),
        (crash(Cause.EXIT, "3"), "exit 3", SHOWS),
        (crash(Cause.ASSERTION, "two\nlines"), "exit 1", SHOWS),
        (of_verdict(answer("sat"), 1, "unsat"), "echo sat; echo unsat", SHOWS),
        (of_verdict(answer("sat"), 1, "unsat"), "echo unsat; echo sat", GONE),
        (of_text("((objectives (x 7)))"), "echo sat; echo '((objectives'; echo ' (x 7)))'", SHOWS),
        (of_text("((objectives (x 7)))"), "echo sat; echo '((objectives (x 8)))'", GONE),
        (Sign(SignKind.FALSUM), "exit 1", SHOWS),
        (Sign(SignKind.FALSUM), "exit 0", GONE),
        (Sign(SignKind.FALSUM), "exit 3", OPEN),
        # What nothing printed tells is not gone because a solver ends well.
        (Sign(SignKind.UNSEEN), "exit 0", OPEN),
        (Sign(SignKind.UNSEEN), "exit 1", OPEN),
        (of_verdict(answer("sat"), 0, "unsat"), "exit 127", OPEN),
    ],
)
def test_exit_codes(tmp_path: Path, sign: Sign, body: str, code: int) -> None:
    assert replayed(tmp_path, body, sign) == code
    turned = {GONE: SHOWS, SHOWS: GONE, OPEN: OPEN}[code]
    assert replayed(tmp_path, body, sign, "--fixed") == turned


def test_a_program_or_another_library_is_asked_instead_of_a_library(tmp_path: Path) -> None:
    """A developer of cvc5 has a program where falsum asked the Python library."""
    solver = resolve("cvc5:seed=7", Zoo())
    (tmp_path / "a.smt2").write_text("(set-logic QF_UF)\n(assert false)\n(check-sat)\n")
    command = solver.cold_program(solver.prepare("(check-sat)")).argv
    run = ReplayRun(solver.name, "1", command, "a.smt2", "unsat", of_answer(answer("unsat")))
    (tmp_path / "replay.sh").write_text(replay_script(tmp_path, [run]))
    program = tmp_path / "my cvc5"
    program.write_text('#!/bin/sh\necho "program $*" >&2\necho sat\n')
    program.chmod(0o755)

    def ran(value: str) -> tuple[int, str]:
        result = subprocess.run(
            ["sh", tmp_path / "replay.sh"], capture_output=True, text=True, check=False, timeout=60,
            env=os.environ | ({"CVC5_SEED_7": value} if value else {}),
        )  # fmt: skip
        return result.returncode, result.stdout

    assert ran("")[0] == SHOWS
    assert ran(sys.executable)[0] == SHOWS
    assert ran(str(solver.served_release.folder))[0] == SHOWS
    code, output = ran(str(program))
    assert code == GONE
    assert "--seed=7 a.smt2" in output
    assert ran(str(tmp_path))[0] == OPEN


def test_wrong_use(tmp_path: Path) -> None:
    assert replayed(tmp_path, "echo sat", of_verdict(answer("sat"), 0, "sat"), "--nonsense") == 2


def test_the_original_is_asked_when_it_is_wanted(tmp_path: Path) -> None:
    runs = [
        ReplayRun("cat", "", ("/bin/cat",), name, "", Sign(SignKind.VERDICTS)) for name in ("whole", "small")
    ]
    for name in ("whole", "small"):
        (tmp_path / name).write_text(f"the {name} script\n")
    (tmp_path / "replay.sh").write_text(replay_script(tmp_path, runs[:1], runs[1:]))
    for arguments, name in (([], "small"), (["--original"], "whole")):
        result = subprocess.run(
            ["sh", tmp_path / "replay.sh", *arguments], capture_output=True, text=True, check=False
        )
        assert f"\nthe {name} script\n" in result.stdout
        assert result.returncode == SHOWS


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("api-exception", "raise RuntimeError", SHOWS),
        ("api-crash", "import os; os.abort()", SHOWS),
        ("api-crash", "print('sat')", GONE),
        ("api-crash", "import a_library_that_has_moved", OPEN),
    ],
)
def test_a_program_of_library_calls(kind: str, body: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(body)
    assert library_replayed(tmp_path, kind, "program.py") == code


@pytest.mark.parametrize(("status", "code"), [(0, GONE), (1, SHOWS), (3, OPEN)])
def test_what_only_falsum_can_tell_of_library_calls(status: int, code: int, tmp_path: Path) -> None:
    falsum = tmp_path / "falsum"
    falsum.write_text(f"#!/bin/sh\ntest \"$2 $4\" = 'small.trace z 3' && exit {status}\nexit 9\n")
    falsum.chmod(0o755)
    (tmp_path / "program.py").write_text("print('sat')")
    assert library_replayed(tmp_path, "api-model", "program.py") == code
    assert library_replayed(tmp_path, "api-crash", "") == code


def library_replayed(folder: Path, kind: str, program: str) -> int:
    text = library_replay_script("z 3", kind, "/l", program=program, trace="small.trace", solver="z 3")
    (folder / "replay.sh").write_text(text)
    path = f"{folder}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}/usr/bin{os.pathsep}/bin"
    return subprocess.run(
        ["sh", folder / "replay.sh"], env={"PATH": path}, check=False, timeout=60
    ).returncode


@pytest.mark.parametrize(
    ("many", "alone", "code"),
    [
        ("echo sat; echo unsat", "echo sat", SHOWS),
        ("echo unsat; echo sat", "echo sat", GONE),
        ("echo sat; kill -SEGV $$", "echo sat", SHOWS),
        ("exit 127", "echo sat", OPEN),
    ],
)
def test_a_process_with_a_history(many: str, alone: str, code: int, tmp_path: Path) -> None:
    program = tmp_path / "solver"
    program.write_text(f"#!/bin/sh\ncase $1 in -in) {many} ;; *) {alone} ;; esac\n")
    program.chmod(0o755)
    (tmp_path / "asked").touch()
    for is_visible in (True, False):
        text = history_replay_script("z 3", str(program), ["-in"], "asked", ["a.smt2"], is_visible=is_visible)
        (tmp_path / "replay.sh").write_text(text)
        ran = subprocess.run(["sh", tmp_path / "replay.sh"], check=False, timeout=60)
        assert ran.returncode == (code if is_visible else OPEN)
