"""Every kind of defect × every command: the same defect, the same suspect, still there after reduction.

One liar for each kind: a build of z3 that lies about scripts with `abs`. Whoever judges, reduces, bisects,
reports, replays or re-tests has to say the same of it, and nothing of an honest build.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

import falsum
from falsum.app.main import main
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.trust import VARIABLE

HERE = Path(__file__).parent
LINEAR = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
NOISE = "(assert (or (> y 3) (< z 2)))(assert (distinct y (+ z 1)))"


@dataclass(frozen=True)
class Row:
    """`defect` is what everybody calls it; `solve_sees` if the answers to the script alone show it."""

    lie: str
    defect: str
    script: str
    solve_sees: bool = True
    is_minor: bool = False

    def __str__(self) -> str:
        return self.defect.replace(" ", "-")

    @property
    def seen(self) -> str:
        """What those call it who ask no further questions."""
        return self.defect if self.solve_sees else ""


ROWS = (
    Row("unsat", "refutation unsoundness", f"{LINEAR}{NOISE}(assert (= (abs x) 7))(check-sat)"),
    Row(
        "sat",
        "solution unsoundness",
        f"{LINEAR}{NOISE}(assert (= (abs x) 7))(assert (> x 7))(assert (> x 2))(check-sat)",
    ),
    Row("model", "invalid model", f"{LINEAR}{NOISE}(assert (= (abs x) 7))(assert (> x 0))(check-sat)"),
    Row("crash", "crash", f"{LINEAR}{NOISE}(assert (= (abs x) 7))(check-sat)"),
    Row(
        "core",
        "wrong core",
        f"(set-option :produce-unsat-cores true){LINEAR}(assert (! (> (abs x) 7) :named a))"
        "(assert (! (< x 3) :named b))(assert (! (> x 5) :named c))(assert (! (> y 5) :named d))"
        "(check-sat)(get-unsat-core)",
    ),
    Row(
        "assumptions",
        "wrong assumptions",
        f"(set-option :produce-unsat-assumptions true){LINEAR}(declare-const a Bool)(declare-const b Bool)"
        "(assert (> (abs y) 1))(assert (=> a (< x 3)))(assert (=> b (> x 5)))"
        "(check-sat-assuming (a b))(get-unsat-assumptions)",
    ),
    Row(
        "optimum",
        "wrong optimum",
        "(declare-const x Int)(declare-const y Int)(assert (< (abs x) 10))(assert (> y 2))"
        "(assert (or (> y 3) (< y 9)))(assert (distinct y (+ x 1)))"
        "(maximize x)(check-sat)(get-objectives)",
    ),
    Row(
        "unknown",
        "incompleteness",
        f"{LINEAR}{NOISE}(assert (= (abs x) 7))(check-sat)",
        is_minor=True,
    ),
    Row("limit", "broken limit", f"{LINEAR}{NOISE}(assert (= (abs x) 7))(check-sat)", solve_sees=False),
)


@pytest.fixture(params=ROWS, ids=str)
def row(request: pytest.FixtureRequest) -> Row:
    found: Row = request.param
    return found


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Place:
    """A directory with the script, a lying build and an honest one."""

    folder: Path
    row: Row
    capsys: pytest.CaptureFixture[str]

    @property
    def liar(self) -> str:
        return f"z3={self.folder / 'liar'}"

    @property
    def honest(self) -> str:
        return f"z3={self.folder / 'honest'}"

    def run(self, *arguments: str) -> Done:
        """falsum as a user runs it."""
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = self.capsys.readouterr()
        return Done(int(ended.value.code or 0), out, err)


@pytest.fixture
def place(
    tmp_path: Path, row: Row, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Place:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(VARIABLE, "")  # a build that is named is trusted from then on
    release = resolve("z3", Zoo()).release
    assert release is not None
    for name, lie in (("liar", row.lie), ("honest", "none")):
        program = tmp_path / name
        call = f"exec {sys.executable} -I -S {HERE / 'liar_build.py'} {release.program} {lie}"
        program.write_text(f'#!/bin/sh\n{call} "$@"\n')
        program.chmod(0o755)
    (tmp_path / "bug.smt2").write_text(row.script)
    return Place(tmp_path, row, capsys)


def says(place: Place, file: str, solver: str) -> str:
    """What `falsum solve` calls wrong with a solver's answers; "" if nothing is."""
    done = place.run("solve", file, "-s", solver, "-s", "cvc5", "-s", "bitwuzla", "-s", "z3", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    judgement = next((line for line in lines if "suspects" in line), None)
    assert done.returncode in (0, 1), done.stderr
    if judgement is None or solver not in judgement["suspects"]:
        assert done.returncode == 0, done.stdout + done.stderr
        return ""
    assert done.returncode == (0 if place.row.is_minor else 1)
    assert judgement["suspects"] == [solver]
    return str(judgement["word"])


def test_solve_and_python(place: Place) -> None:
    assert says(place, "bug.smt2", place.liar) == place.row.seen
    assert says(place, "bug.smt2", place.honest) == ""
    judgement = falsum.judge(place.row.script, [place.liar, "cvc5", "bitwuzla", "z3"])
    seen = (place.row.seen, (place.liar,)) if place.row.seen else ("undecided", ())
    assert (judgement.defect, judgement.suspects) == seen


def test_reduce_keeps_it(place: Place) -> None:
    done = place.run("reduce", "bug.smt2", "-s", place.liar, "--out", "small.smt2")
    assert done.returncode == 0, done.stderr
    assert f"keeping {place.row.defect}: {place.liar}" in done.stderr
    small = (place.folder / "small.smt2").read_text()
    assert len(small) < len(place.row.script)
    assert "abs" in small, "what only the liar gets wrong"
    assert says(place, "small.smt2", place.liar) == place.row.seen
    honest = place.run("reduce", "bug.smt2", "-s", place.honest)
    assert "nothing is known to be wrong" in honest.stderr


def test_bisect_finds_it_in_the_build_alone(place: Place) -> None:
    done = place.run("bisect", "bug.smt2", "--product", "z3", "--solver", place.liar, "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["target"]["defect"] == place.row.defect
    assert shown["build"]["standing"] == "bad"
    newest = shown["rows"][-1]
    assert newest["standing"] == "good", newest
    assert not any(each["standing"] == "bad" for each in shown["rows"])
    honest = place.run("bisect", "bug.smt2", "--product", "z3", "--solver", place.honest)
    assert honest.returncode == 2
    assert "use --expect" in honest.stderr


def test_report_replay_regression_and_retest(place: Place) -> None:
    done = place.run("report-bug", "bug.smt2", "--out", "out", "--no-bisect")
    assert done.returncode == 0, "the configured solvers are honest"
    done = place.run("report-bug", "bug.smt2", "-s", place.liar, "--out", "out", "--no-bisect", "--json")
    assert done.returncode == 1, done.stderr
    shown = json.loads(done.stdout)
    assert shown["triage"]["judgement"]["word"] == place.row.defect
    assert shown["triage"]["judgement"]["suspects"] == [place.liar]
    assert "abs" in shown["triage"]["script"]
    assert shown["triage"]["cold"] == {"times": 3, "of": 3}
    folder = place.folder / shown["folder"]
    assert says(place, str(folder / "regression.smt2"), place.liar) == place.row.seen
    assert says(place, str(folder / "regression.smt2"), place.honest) == ""
    replays(place, folder)
    retested(place)


def replays(place: Place, folder: Path) -> None:
    """`replay.sh` shows it on the liar, and that it is gone on an honest build."""
    script = (folder / "replay.sh").read_text()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    liar = str(place.folder / "liar")
    assert liar in script
    for status, text in ((1, script), (0, script.replace(liar, str(place.folder / "honest")))):
        (folder / "replay.sh").write_text(text)
        done = subprocess.run(
            ["/bin/sh", "replay.sh"], cwd=folder, capture_output=True, text=True, check=False,
            env=os.environ | {"PATH": path},
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
    (folder / "replay.sh").write_text(script)


def retested(place: Place) -> None:
    for solver, standing in ((place.liar, "bad"), (place.honest, "good")):
        done = place.run("findings", "retest", "--out", "out", "-s", solver, "--json")
        (line,) = [json.loads(line) for line in done.stdout.splitlines()]
        assert line["standing"] == standing, done.stdout + done.stderr
