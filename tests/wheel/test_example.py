"""The package in examples/, installed beside falsum and used like a part of it."""

from __future__ import annotations

import json

import pytest
from tests.wheel import environment
from tests.wheel.environment import ROOT, Environment

SCRIPT = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)(assert (or p (not q)))(check-sat)\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment.create(tmp_path_factory.mktemp("example"))
    made.install(ROOT, tmp_path_factory.mktemp("falsum"))
    made.install(ROOT / "examples" / "falsum-example", tmp_path_factory.mktemp("falsum-example"))
    (made.work / "a.smt2").write_text(SCRIPT)
    return made


def test_the_strategy(installed: Environment) -> None:
    made = installed.run("falsum", "mutate", "a.smt2", "--strategy", "double-negation", "--count", "2")
    assert made.stderr == "falsum: a.smt2: 5 repeats left out\n"
    assert made.stdout.count("; lineage: double-negation: ") == 2
    assert made.stdout.count("(not (not ") == 2


def test_the_solver(installed: Environment) -> None:
    listed = installed.run("falsum", "solvers", "list", "--json").stdout.splitlines()
    assert "truth-table@0.1.0" in [json.loads(line).get("solver") for line in listed]
    said = installed.run("falsum", "solve", "a.smt2", "-s", "truth-table", "-s", "z3", "--model", "--json")
    first = json.loads(said.stdout.splitlines()[0])
    assert (first["solver"], first["verdicts"]) == ("truth-table", ["sat"])
    assert "(define-fun p () Bool false)" in first["model"]


def test_workers_have_both(installed: Environment) -> None:
    asked = ("-t", "double-negation", "-s", "truth-table", "-s", "z3", "--count", "6", "-j", "2", "--json")
    done = installed.run("falsum", "fuzz", "a.smt2", *asked)
    end = json.loads(done.stdout.splitlines()[-1])
    assert end["mutants"] == 6
    assert end["said"]["truth-table"] == {"sat": 6}


def test_a_broken_plugin_is_named_and_left_out(installed: Environment) -> None:
    home = installed.packages / "zigzag-2.0.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Metadata-Version: 2.1\nName: zigzag\nVersion: 2.0\n")
    (home / "entry_points.txt").write_text(
        "[falsum.strategies]\nopfuzz = falsum_example.double_negation:DoubleNegation\ngone = nowhere:Gone\n"
        "[falsum.profiles]\nz3 = falsum.solvers.profiles.z3:PROFILE\n"
    )
    done = installed.run("falsum", "mutate", "a.smt2", "--strategy", "opfuzz", "--count", "1")
    assert "; strategy: opfuzz" in done.stdout
    gone, twice = done.stderr.splitlines()
    assert gone.endswith("gone of zigzag 2.0 left out: ModuleNotFoundError: No module named 'nowhere'")
    assert twice.startswith("falsum: plug-in opfuzz of zigzag 2.0 left out: ValueError: there is already ")
    listed = installed.run("falsum", "solvers", "list")
    assert "z3@" in listed.stdout
    assert "plug-in z3 of zigzag 2.0 left out: ValueError: there is already 'z3'" in listed.stderr
