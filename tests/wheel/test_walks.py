"""Three walks from the wheel: an own build till its fix, an own strategy to a table, a script to a report.

Nobody needs `--trust`: what is named on a command line may be run, then and later. Every command follows from
what the one before has left.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from tests.wheel import environment
from tests.wheel.environment import ROOT, Environment

from falsum.errors import SurroundingsError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

# https://github.com/Z3Prover/z3/issues/5305: wrong in 4.8.6, 4.8.7, 4.8.9 and 4.8.10
RECURSIVE = """(set-logic ALL)
(declare-const x Int)
(define-fun-rec y () Int x)
(assert (not (= y x)))
(check-sat)
"""
WITH_MOD = """(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (mod x 7) 6))
(assert (< 30 x 41))
(assert (distinct y (* 2 x)))
(check-sat)
"""
# Builds of z3, before and after the fix of a bug.
MISTAKEN = """#!/bin/sh
# takes mod for div
case $1 in --version) echo "Z3 version 9.1.0 - 64 bit - build hashcode 0123456789ab"; exit ;; esac
for last; do :; done
if [ -f "$last" ]; then sed 's/(mod /(div /g' "$last"; else sed -u 's/(mod /(div /g'; fi | z3 -smt2 -in
"""
RIGHT = """#!/bin/sh
case $1 in --version) echo "Z3 version 9.1.1 - 64 bit - build hashcode ba9876543210"; exit ;; esac
exec z3 "$@"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment.create(tmp_path_factory.mktemp("walks"))
    made.install(ROOT, tmp_path_factory.mktemp("dist"))
    return made


class Walk:
    """Somebody at a terminal, in a directory of their own."""

    def __init__(self, installed: Environment, work: Path) -> None:
        self.environment = replace(installed, work=work)
        self.work = work

    def falsum(self, *arguments: str, code: int = 0) -> str:
        assert "--trust" not in arguments
        result = self.environment.run("falsum", *arguments, codes=(code,), zoo=os.environ["FALSUM_ZOO"])
        said = result.stdout + result.stderr
        assert "--trust" not in said
        assert "Traceback" not in said
        return said if "--json" not in arguments else result.stdout

    def lines(self, *arguments: str, code: int = 0) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.falsum(*arguments, "--json", code=code).splitlines()]

    def write(self, name: str, text: str) -> Path:
        file = self.work / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if text.startswith("#!"):
            file.chmod(0o755)
        return file


@pytest.fixture
def walk(installed: Environment, tmp_path: Path) -> Walk:
    return Walk(installed, tmp_path)


def program(release: str) -> str:
    try:
        found = resolve(release, Zoo()).served_release.program
    except SurroundingsError as error:
        pytest.skip(str(error))
    assert found is not None
    return found


def place(walk: Walk, build: str) -> None:
    """Build the solver anew, at the same place."""
    target = walk.work / "build" / "z3"
    target.unlink(missing_ok=True)
    if build.startswith("#!"):
        walk.write("build/z3", build)
    else:
        target.parent.mkdir(exist_ok=True)
        shutil.copy(program(build), target)


@pytest.mark.parametrize(
    ("before", "after", "seed", "version"),
    [(MISTAKEN, RIGHT, WITH_MOD, "9.1.0"), ("z3@4.8.10", "z3@4.8.12", RECURSIVE, "4.8.10")],
    ids=["a program around z3", "an old z3"],
)
def test_an_own_build_until_it_is_fixed(walk: Walk, before: str, after: str, seed: str, version: str) -> None:
    place(walk, before)
    walk.write("seed.smt2", seed)
    campaign = ("-t", "opfuzz", "--count", "4", "--rng", "1", "-j", "1", "--junit", "junit.xml")
    said = walk.falsum(
        "fuzz", "seed.smt2", "-s", "my=./build/z3", "--compare-with", "z3", "--compare-with", "cvc5",
        *campaign, code=1,
    )  # fmt: skip
    assert re.search(r"found [0-9a-f]{12}: (disagreement|model) in my=/", said)
    assert "(my)" in (walk.work / "junit.xml").read_text()

    walk.falsum("findings", "triage")
    found = walk.lines("findings", "list")
    assert found
    build = f"my={walk.work / 'build' / 'z3'}"
    assert {each["state"]["state"] for each in found} == {"triaged"}  # type: ignore[index]
    assert all(each["suspects"] == [build] for each in found)
    finding = str(found[0]["digest"])
    assert "unsoundness" in walk.falsum("findings", "show", finding)

    assert "reproduced in 3 of 3 attempts" in walk.falsum("replay", finding, code=1)
    (script,) = walk.work.glob(f"falsum-out/findings/*{finding}/script.smt2")
    small = walk.falsum("reduce", str(script), "-s", "my=./build/z3", "--out", "small.smt2")
    assert "keeping " in small
    assert len((walk.work / "small.smt2").read_text()) < len(script.read_text())

    newest = "5.4.0.0 "
    assert newest in walk.falsum("bisect", finding)
    dated = walk.falsum("bisect", "small.smt2", "--solver", "z3=./build/z3")
    assert f"({version}) shows it" in dated
    assert ("new since" in dated) == (version == "9.1.0")

    walk.falsum("findings", "set", finding, "reported", "--url", "https://example.org/issues/1")
    walk.falsum("findings", "export", "--to", "reports")
    (folder,) = walk.work.glob(f"reports/*{finding}")
    report = (folder / "report.md").read_text()
    assert f"{version} (here: my)" in report
    assert f"SHA-256 of {walk.work / 'build' / 'z3'}: " in report
    assert "built by the reporter" in report
    assert "pip install" not in report
    assert "--trust" not in report
    assert ("- [x] This worked in a previous version" in report) == (version == "9.1.0")
    assert replayed(folder) == (1, "the bug shows")
    walk.falsum("findings", "export", "--regressions", "regressions")
    assert list(walk.work.glob("regressions/z3-*.expected.out"))

    place(walk, after)
    # A release that has the fix tells more than a commit.
    fixed = walk.falsum("findings", "retest", "-s", "my=./build/z3", "--commit", "abc1234")
    assert "fixed in abc1234" in fixed if version == "9.1.0" else "fixed in 4.8.12.0" in fixed
    assert "reproduced in 0 of 3 attempts" in walk.falsum("replay", finding)
    assert replayed(folder) == (0, "the bug is gone")
    states = {each["state"]["state"] for each in walk.lines("findings", "list")}  # type: ignore[index]
    assert states == {"fixed"}

    place(walk, before)
    assert "back again" in walk.falsum("findings", "retest", "-s", "z3=./build/z3", code=1)


def replayed(folder: Path) -> tuple[int, str]:
    """The exit code of a report's replay.sh, and its last line; falsum is not installed for it."""
    done = subprocess.run(
        ["sh", "replay.sh"], cwd=folder, capture_output=True, text=True, check=False, timeout=300,
        env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    return done.returncode, done.stdout.splitlines()[-1]


STRATEGY = '''"""A strategy of my own."""
from dataclasses import dataclass

from falsum.strategies import Mutant
from falsum.strategies.parameters import parameter, share


@dataclass(frozen=True)
class Recursive:
    """Defines a constant recursively, by a term without recursion."""

    name: str = "recursive"
    arity: int = 1
    largest: int = parameter(9, "the largest number that is added", least=1)
    added: float = share(0.5, "share of definitions that add something")
    names: tuple[str, ...] = ("y",)
    keyword: str = "define-fun-rec"

    def mutants(self, seeds, rng, lab):
        while True:
            name = rng.choice(self.names)
            body = f"(+ x {rng.randint(1, self.largest)})" if rng.random() < self.added else "x"
            declared = f"(declare-const {name} Int)"
            defined = f"({self.keyword} {name} () Int {body})"
            yield Mutant(seeds[0].text.replace(declared, defined), lineage=(f"recursive: {name} is {body}",))


STRATEGIES = [Recursive]
'''


def test_an_own_strategy_to_a_table(walk: Walk) -> None:
    program("z3@4.8.10")
    walk.write("mine.py", STRATEGY)
    walk.write("seed.smt2", RECURSIVE.replace("define-fun-rec y () Int x", "declare-const y Int"))
    plugin = ("--plugin", "mine.py")
    listed = walk.falsum("strategies", "recursive", *plugin)
    for parameter in ("largest=9", "added=0.5", "names=y", "keyword=define-fun-rec"):
        assert parameter in listed
    made = walk.falsum("mutate", "seed.smt2", *plugin, "-t", "recursive:added=0", "--count", "1")
    assert "(define-fun-rec y () Int x)" in made
    misspelt = walk.falsum("mutate", "seed.smt2", *plugin, "-t", "recursive:add=0", code=2)
    assert "did you mean added?" in misspelt

    mine = "recursive:added=0.2"
    solvers = ("-s", "z3@4.8.10", "--compare-with", "z3", "--compare-with", "cvc5")
    campaign = ("-t", mine, "-t", "opfuzz", "--count", "24", "--rng", "1", "-j", "1", "--no-triage")
    said = walk.falsum("fuzz", "seed.smt2", *plugin, *campaign, *solvers, code=1)
    row = next(line for line in said.splitlines() if line.startswith(f"{mine} "))
    assert int(row.split()[1]) > 0
    walk.falsum("findings", "triage", "-j", "1", "--no-bisect")
    rows = list(csv.reader(walk.falsum("findings", "stats", "--by", "strategy", "--csv").splitlines()))
    assert any(mine in cells and "z3" in " ".join(rows[0] + cells) for cells in rows), rows
    assert "recursive" in walk.falsum("findings", "stats", "--by", "strategy", "--latex")

    walk.write("mine.py", STRATEGY.replace("while True:", "while True:\n            rng.choise(())"))
    failed = walk.falsum("mutate", "seed.smt2", *plugin, "-t", "recursive", code=3)
    assert "a plug-in fails: AttributeError" in failed
    assert "(mine.py:" in failed


def test_a_suspicious_file_to_a_report(walk: Walk) -> None:
    """A script with push and pop, wrong at its first check; a release, and then a build, is asked."""
    release = "z3@4.8.10"
    program(release)
    more = "(push 1)\n(assert (> x 3))\n(check-sat)\n(pop 1)\n"
    walk.write("odd.smt2", RECURSIVE + more)
    solvers = ("-s", release, "-s", "cvc5")
    assert "1 script, 0 wrong" in walk.falsum("check", "odd.smt2")
    judged = walk.falsum("solve", "odd.smt2", *solvers, "--model", code=1)
    assert f"solution unsoundness: {release}" in judged
    assert f"{release}  sat unsat  " in judged
    walk.write("model.txt", "((define-fun x () Int 5))")
    last = walk.falsum("eval", "odd.smt2", "--model", "model.txt", code=1)
    assert last == "1: false  (not (= y x))\n2: true  (> x 3)\n"
    first = walk.falsum("eval", "odd.smt2", "--model", "model.txt", "--check", "1", code=1)
    assert first == "1: false  (not (= y x))\n"

    walk.falsum("reduce", "odd.smt2", "-s", release, "--out", "small.smt2")
    small = (walk.work / "small.smt2").read_text()
    assert "push" not in small
    assert len(small) < len(RECURSIVE)
    dated = walk.falsum("bisect", "odd.smt2", "--product", "z3")
    assert "solution unsoundness" in dated
    assert "fixed in: 4.8.12" in dated
    own = walk.falsum("bisect", "odd.smt2", "--solver", f"z3={program(release)}")
    assert "(4.8.10) shows it; " in own

    told = walk.falsum("report-bug", "odd.smt2", "-s", release, code=1)
    (report,) = walk.work.glob("falsum-out/findings/*/report.md")
    assert str(report.relative_to(walk.work)) in told
    text = report.read_text()
    assert "# [Bug] Solution unsoundness: sat for an unsatisfiable" in text
    assert "4.8.10" in text
    assert "push" not in text.split("```smt2")[1].split("```")[0]
    assert replayed(report.parent) == (1, "the bug shows")
