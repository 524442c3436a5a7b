"""falsum as people install it: the wheel, in a fresh environment, without the source tree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.wheel import environment
from tests.wheel.environment import ROOT, Environment

SCRIPT = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 2))(check-sat)\n"
TRACE = """new
s1 = sort BitVec 8
t1 = const s1 x
t2 = value s1 3
t3 = term bvmul t1 t2
t4 = term = t3 t2
assert t4
check
t5 = term distinct t3 t2
assert t5
check
"""
# Today's solvers have bugs, and a few mutants may be enough to find one.
FOUND_OR_NOT = (0, 1)
LIBRARIES = ("z3", "cvc5", "bitwuzla")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment.create(tmp_path_factory.mktemp("wheel"))
    made.install(ROOT, tmp_path_factory.mktemp("dist"))
    return made


def test_it_is_the_wheel_that_is_tried(installed: Environment) -> None:
    file = installed.run("python", "-c", "import falsum; print(falsum.__file__)").stdout.strip()
    assert Path(file).is_relative_to(installed.packages)
    assert (installed.packages / "falsum" / "py.typed").is_file()


def test_version_and_help(installed: Environment) -> None:
    assert installed.run("falsum", "--version").stdout.startswith("falsum, version ")
    assert "fuzz" in installed.run("falsum", "--help").stdout


def test_solve(installed: Environment) -> None:
    (installed.work / "a.smt2").write_text(SCRIPT)
    lines = installed.run("falsum", "solve", "a.smt2", "--json").stdout.splitlines()
    answers = {line["solver"]: line["verdicts"] for line in map(json.loads, lines) if "solver" in line}
    assert answers == {"z3": ["sat"], "cvc5": ["sat"], "bitwuzla": []}


def test_fuzz_with_the_bundled_seeds(installed: Environment) -> None:
    asked = ("--count", "20", "--rng", "1", "-t", "opfuzz", "-j", "1", "--no-triage", "--json")
    done = installed.run("falsum", "fuzz", *asked, codes=FOUND_OR_NOT)
    end = json.loads(done.stdout.splitlines()[-1])
    assert end["event"] == "end"
    assert end["mutants"] == 20


def test_a_campaign_over_a_library(installed: Environment) -> None:
    asked = ("-s", "bitwuzla", "--count", "2", "--rng", "1", "-j", "1", "--json")
    done = installed.run("falsum", "api", *asked, codes=FOUND_OR_NOT)
    assert json.loads(done.stdout.splitlines()[-1])["runs"] == 2


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_program_for_the_library_alone(library: str, installed: Environment) -> None:
    """The program that `--python` prints gets the verdicts of the trace."""
    (installed.work / "a.trace").write_text(f"# falsum trace 1\n# solver: {library}\n{TRACE}")
    program = installed.run("falsum", "replay", "a.trace", "--python").stdout
    assert "import falsum" not in program
    (installed.work / "alone.py").write_text(program)
    printed = installed.run("python", "alone.py").stdout.lower().split()
    assert [word.removeprefix("result.") for word in printed] == ["sat", "unsat"]


@pytest.mark.timeout(600)  # mypy reads all of falsum
def test_a_program_that_depends_on_falsum(installed: Environment, tmp_path: Path) -> None:
    """It runs, and `mypy --strict` knows every type it uses."""
    client = Path(__file__).with_name("client.py")
    assert installed.run("python", str(client)).stdout.startswith("0.1.0 1 ")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file", os.devnull,
         "--python-executable", str(installed.python), str(client)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout
