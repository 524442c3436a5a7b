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
from typing import Any

import pytest
from tests.defects.command import Done, falsum_run
from tests.defects.liar_build import LEAKS_FROM

import falsum
from falsum.defects.kinds import slow
from falsum.defects.table import kind_named, kinds, oracle_named
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.trust import VARIABLE

HERE = Path(__file__).parent
LINEAR = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
NOISE = "(assert (or (> y 3) (< z 2)))(assert (distinct y (+ z 1)))"


@dataclass(frozen=True)
class Row:
    """`defect` is what everybody calls it; `solve` what its answers are called by hand, "" if they are right.

    `releases` are compared with, besides; `mutants` are made by a campaign until it shows, `options` for it.
    """

    lie: str
    defect: str
    script: str
    solve: str | None = None
    is_minor: bool = False
    releases: tuple[str, ...] = ()
    mutants: int = 4
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.defect.replace(" ", "-")


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
        mutants=400,
    ),
    Row(
        "assumptions",
        "wrong assumptions",
        f"(set-option :produce-unsat-assumptions true){LINEAR}(declare-const a Bool)(declare-const b Bool)"
        "(assert (> (abs y) 1))(assert (=> a (< x 3)))(assert (=> b (> x 5)))"
        "(check-sat-assuming (a b))(get-unsat-assumptions)",
        mutants=200,
    ),
    Row(
        "optimum",
        "wrong optimum",
        "(declare-const x Int)(declare-const y Int)(assert (< (abs x) 10))(assert (> y 2))"
        "(assert (or (> y 3) (< y 9)))(assert (distinct y (+ x 1)))"
        "(maximize x)(check-sat)(get-objectives)",
        mutants=200,
    ),
    Row(
        "unknown",
        "incompleteness",
        f"{LINEAR}{NOISE}(assert (= (abs x) 7))(check-sat)",
        is_minor=True,
    ),
    Row(
        "proof",
        "faulty proof",
        f"{LINEAR}{NOISE}(assert (= (abs x) 7))(assert (> x 7))(check-sat)",
        solve="crash",  # in a script that asks for the proof, as a reduced one does
        mutants=400,
    ),
    Row("law", "self-contradiction", f"{LINEAR}(assert (> (abs x) 7))(check-sat)", solve="", mutants=600),
    Row(
        "slow",
        "slow",
        "(set-logic QF_LIA)(declare-const x Int)(assert (> (abs x) 7))(check-sat)",
        is_minor=True,
        releases=("z3@4.8.12",),
    ),
    Row(
        "invariant",
        "invalid invariant",
        "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)"
        "(assert (forall ((x Int)) (=> (= (abs x) 7) (p x))))"
        "(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 2)))))"
        "(assert (forall ((x Int) (y Int)) (=> (and (p x) (= y 3)) (q x y))))"
        "(assert (forall ((x Int)) (=> (and (p x) (> x 20)) false)))"
        "(check-sat-assuming ())",  # after a plain check, z3 5.4.0 really breaks its limits
    ),
    Row("limit", "broken limit", f"{LINEAR}{NOISE}(assert (= (abs x) 7))(check-sat)", solve="", mutants=2500),
)

LEAK = Row(
    "leak", "state leak", f"{LINEAR}{NOISE}(assert (= (abs x) 7))(check-sat)", mutants=20,
)  # fmt: skip


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
        return falsum_run(self.capsys, *arguments)

    def build(self, name: str, lie: str) -> None:
        """A build of z3 that lies; `none`: that does not."""
        release = resolve("z3", Zoo()).release
        assert release is not None
        call = f"exec {sys.executable} -I -S {HERE / 'liar_build.py'} {release.program} {lie}"
        (self.folder / name).write_text(f'#!/bin/sh\n{call} "$@"\n')
        (self.folder / name).chmod(0o755)


def place_of(
    folder: Path, row: Row, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Place:
    place = Place(folder, row, capsys)
    for name in row.releases:
        if Zoo().find(*name.split("@")) is None:
            pytest.skip(f"{name} is not installed (make zoo)")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv(VARIABLE, "")  # a build that is named is trusted from then on
    # Nobody has to wait for a liar that is slow; what falsum calls slow takes longer.
    monkeypatch.setattr(slow, "LEAST_SECONDS", 0.4)
    monkeypatch.setattr(slow, "FACTOR", 4.0)
    place.build("liar", row.lie)
    place.build("honest", "none")
    place.build("silent", "silent")
    (folder / "bug.smt2").write_text(row.script)
    return place


@pytest.fixture(params=ROWS, ids=str)
def place(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Place:
    return place_of(tmp_path, request.param, monkeypatch, capsys)


@pytest.fixture
def leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Place:
    return place_of(tmp_path, LEAK, monkeypatch, capsys)


def solved(place: Place, file: str, solver: str) -> str:
    """What `falsum solve` calls wrong with a solver's answers; "" if nothing is."""
    others = [word for name in ("cvc5", "bitwuzla", "z3", *place.row.releases) for word in ("-s", name)]
    done = place.run("solve", file, "-s", solver, *others, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    judgement = next((line for line in lines if "suspects" in line), None)
    assert done.returncode in (0, 1), done.stderr
    if judgement is None or solver not in judgement["suspects"]:
        assert done.returncode == 0, done.stdout + done.stderr
        return ""
    assert done.returncode == (0 if place.row.is_minor else 1)
    assert judgement["suspects"] == [solver]
    return str(judgement["word"])


def says(place: Place, file: str, solver: str) -> str:
    """What is wrong with a solver's answers by hand: by `falsum solve` or, where these are right, by the
    oracles that ask more.
    """
    if place.row.solve is None:
        return solved(place, file, solver)
    assert solved(place, file, solver) in ("", place.row.solve)
    return reported(place, file, solver, "by-hand")


def reported(place: Place, file: str, solver: str, out: str) -> str:
    """What `falsum report-bug` calls it; "" if it finds nothing wrong."""
    done = place.run("report-bug", file, "-s", solver, "--out", out, "--no-bisect", "--for", "20s", "--json")
    assert done.stdout, done.stderr
    shown = json.loads(done.stdout)
    assert done.returncode == (1 if shown["found"] else 0), done.stderr
    if not shown["found"]:
        return ""
    assert shown["triage"]["judgement"]["suspects"] == [solver]
    return str(shown["triage"]["judgement"]["word"])


def expected(place: Place, *, is_reduced: bool = False) -> set[str]:
    """What an answer by hand may be called: a reduced script that asks for what is wrong shows that."""
    return {place.row.defect} | ({place.row.solve} if is_reduced and place.row.solve else set())


def test_every_kind_has_a_row() -> None:
    words = {row.defect for row in ROWS} | {LEAK.defect}
    assert [kind.name for kind in kinds() if words.isdisjoint(kind.words)] == []


def test_solve_and_python(place: Place) -> None:
    row = place.row
    seen = row.defect if row.solve is None else ""
    assert solved(place, "bug.smt2", place.liar) == seen
    assert solved(place, "bug.smt2", place.honest) == ""
    for solver, defect in ((place.liar, seen), (place.honest, "")):
        judgement = falsum.judge(row.script, [solver, "cvc5", "bitwuzla", "z3", *row.releases])
        assert (judgement.defect, judgement.suspects) == (
            (defect, (solver,)) if defect else ("undecided", ())
        )  # fmt: skip


def test_reduce_keeps_it(place: Place) -> None:
    references = [word for name in place.row.releases for word in ("-s", name)]
    done = place.run("reduce", "bug.smt2", "-s", place.liar, *references, "--out", "small.smt2")
    assert done.returncode == 0, done.stderr
    assert f"keeping {place.row.defect}: {place.liar}" in done.stderr
    small = (place.folder / "small.smt2").read_text()
    assert "abs" in small, "what only the liar gets wrong"
    assert says(place, "small.smt2", place.liar) in expected(place, is_reduced=True)
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
    row = place.row
    configured = ", ".join(f'"{name}"' for name in ("z3", "cvc5", "bitwuzla", *row.releases))
    (place.folder / "falsum.toml").write_text(f"solvers = [{configured}]\n")
    done = place.run("report-bug", "bug.smt2", "--out", "out", "--no-bisect")
    assert done.returncode == 0, "the configured solvers are honest"
    done = place.run("report-bug", "bug.smt2", "-s", place.liar, "--out", "out", "--no-bisect", "--json")
    assert done.returncode == 1, done.stderr
    shown = json.loads(done.stdout)
    assert shown["triage"]["judgement"]["word"] == row.defect
    assert shown["triage"]["judgement"]["suspects"] == [place.liar]
    assert "abs" in shown["triage"]["script"]
    assert shown["triage"]["cold"] == {"times": 3, "of": 3}
    folder = place.folder / shown["folder"]
    regression = str(folder / "regression.smt2")
    assert says(place, regression, place.liar) in expected(place, is_reduced=True)
    assert says(place, regression, place.honest) == ""
    # Time is nothing that a shell can tell.
    replays(place, folder, *((125, 125) if row.defect == "slow" else (1, 0)))
    retested(place)


def replays(place: Place, folder: Path, liar: int, honest: int) -> None:
    """The exit codes of `replay.sh` for the liar and for an honest build."""
    script = (folder / "replay.sh").read_text()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    name = str(place.folder / "liar")
    assert name in script
    for status, text in ((liar, script), (honest, script.replace(name, str(place.folder / "honest")))):
        (folder / "replay.sh").write_text(text)
        result = subprocess.run(
            ["/bin/sh", "replay.sh"], cwd=folder, capture_output=True, text=True, check=False,
            env=os.environ | {"PATH": path},
        )  # fmt: skip
        assert result.returncode == status, result.stdout + result.stderr
    (folder / "replay.sh").write_text(script)


def retested(place: Place, *options: str) -> None:
    silent = f"z3={place.folder / 'silent'}"
    # A crash may be reduced to a script without a check, to which silence is an answer.
    scripts = [file.read_text() for file in place.folder.glob("out/findings/*/reduced.smt2")]
    nothing = (3, "") if all("(check-sat" in script for script in scripts) else (0, "good")
    for solver, status, standing in ((place.liar, 1, "bad"), (place.honest, 0, "good"), (silent, *nothing)):
        done = place.run("findings", "retest", *(options or ("--out", "out")), "-s", solver, "--json")
        (line,) = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == status, done.stdout + done.stderr
        # What was not tested is not called good.
        assert line["standing"] == standing or (not standing and line["standing"] not in ("good", "bad"))


def fuzzed(place: Place, *options: str) -> dict[str, Any]:
    """The one finding of a campaign with the script as its seed."""
    row = place.row
    named = [word for name in (place.liar, "z3", "cvc5", *row.releases) for word in ("-s", name)]
    done = place.run(
        "fuzz", "bug.smt2", *named, "-t", "opfuzz", "--count", str(row.mutants), "--rng", "1", "-j", "1",
        "--no-engines", "--no-triage", "--max-findings", "1", "--out", "campaign", *row.options, *options,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    listed = place.run("findings", "list", "--out", "campaign", "--json")
    return next(
        line
        for line in map(json.loads, listed.stdout.splitlines())
        if oracle_named(line["kind"]).defect is kind_named(row.defect)
    )


def test_a_campaign_finds_it(place: Place) -> None:
    if place.row.defect == "slow":
        pytest.skip(
            "in a process of its own it takes as long as it takes: test_a_campaign_finds_what_is_slow"
        )
    finding = fuzzed(place)
    assert finding["suspects"] == [place.liar]
    folder = str(place.folder / "campaign" / "findings" / finding["folder"])
    for solver, status in ((place.liar, 1), (place.honest, 0)):
        others = [word for name in ("z3", "cvc5") for word in ("-s", name)]
        assert place.run("replay", folder, "-s", solver, *others).returncode == status


@pytest.mark.slow
def test_a_campaign_finds_what_is_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = next(row for row in ROWS if row.defect == "slow")
    place = place_of(tmp_path, row, monkeypatch, capsys)
    place.build("liar", "very slow")
    finding = fuzzed(place, "--count", "1", "--timeout", "30s", "--min-timeout", "30s")
    assert (finding["kind"], finding["suspects"]) == ("slow", [place.liar])


def test_a_leak_is_found_by_campaigns_and_kept(leak: Place) -> None:
    """No script shows it: who is given the finding tells it, and who is given a script finds nothing."""
    finding = fuzzed(leak)
    assert finding["suspects"] == [leak.liar]
    name = finding["folder"]
    folder = leak.folder / "campaign" / "findings" / name
    done = leak.run("findings", "triage", str(folder), "--trust", leak.liar, "--json")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout.splitlines()[-1])
    assert (made["judgement"]["word"], made["judgement"]["suspects"]) == (leak.row.defect, [leak.liar])
    assert len(made["history"]) == LEAKS_FROM
    replays(leak, folder, 1, 0)
    assert not (folder / "regression.smt2").exists()
    retested(leak, name, "--out", "campaign")
    bisected = leak.run("bisect", str(folder), "--out", "campaign", "--trust", leak.liar)
    assert bisected.returncode == 2
    assert "no single script shows it" in bisected.stderr


def test_a_script_of_a_leak_shows_nothing(leak: Place) -> None:
    assert solved(leak, "bug.smt2", leak.liar) == ""
    assert reported(leak, "bug.smt2", leak.liar, "out") == ""
    assert "nothing is known to be wrong" in leak.run("reduce", "bug.smt2", "-s", leak.liar).stderr
    bisected = leak.run("bisect", "bug.smt2", "--product", "z3", "--solver", leak.liar)
    assert bisected.returncode == 2
    assert "use --expect" in bisected.stderr
