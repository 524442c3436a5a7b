"""`falsum mutate`, as scripts use it."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from falsum.app.commands import mutate
from falsum.errors import ScriptError, UsageError
from falsum.smtlib import read_script
from falsum.smtlib.fragments.horn import is_horn

SEED = "(set-logic QF_LIA)(declare-fun x () Int)(assert (< x (+ x 1)))(check-sat)\n"


def run(*arguments: str) -> str:
    return CliRunner().invoke(mutate.command, arguments, catch_exceptions=False).stdout


def test_mutants_of_a_file_say_where_they_are_from(tmp_path: Path) -> None:
    seed = tmp_path / "a.smt2"
    seed.write_text(SEED)
    out = tmp_path / "out"
    run(str(seed), "--strategy", "storm", "--count", "3", "--out", str(out))
    files = sorted(out.iterdir())
    assert [file.name for file in files] == [f"a-000{n}.smt2" for n in range(3)]
    for file in files:
        text = file.read_text()
        assert text.startswith(f"; strategy: storm\n; seed: {seed}\n; rng: 0\n; claim: sat")
        read_script(text)


def test_no_seed_is_needed_where_none_is_used(tmp_path: Path) -> None:
    text = run("--strategy", "generate", "--set", "logics=QF_BV", "--set", "depth=2", "--count", "2")
    assert text.startswith("; strategy: generate:logics=QF_BV,depth=2\n; rng: 0\n; lineage: generate: QF_BV")
    assert text.count("(set-logic QF_BV)") == 2
    run("--strategy", "enumerate", "--set", "theory=ints", "--set", "start=7", "--out", str(tmp_path))
    assert "lineage: enumerate: ints 9\n" in (tmp_path / "enumerate-0002.smt2").read_text()
    assert run("--strategy", "generate+typefuzz", "--count", "1").count("; lineage: ") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--strategy", "storm"),
        ("--strategy", "generate", "--set", "colour=red"),
        ("--strategy", "generate", "--set", "depth=deep"),
        ("--strategy", "generate", "--set", "depth"),
        ("--strategy", "enumerate", "--set", "ground=perhaps"),
        ("--strategy", "enumerate", "--set", "name=other"),
    ],
)
def test_wrong_use_is_named(arguments: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run(*arguments)


def test_mutants_are_distinct_and_repeats_counted(tmp_path: Path) -> None:
    seed = tmp_path / "a.smt2"
    seed.write_text("(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)\n")
    with contextlib.chdir(tmp_path):
        result = CliRunner().invoke(mutate.command, ["a.smt2", "-t", "opfuzz", "--count", "30", "--out", "o"])
        texts = [file.read_text().partition("(set-logic")[2] for file in Path("o").iterdir()]
    assert result.exit_code == 0
    assert len(texts) == len(set(texts))
    assert re.fullmatch(r"falsum: a\.smt2: \d+ repeats left out\n", result.stderr)


def test_one_unreadable_file_does_not_end_a_directory(tmp_path: Path) -> None:
    for name, text in (("a", "(assert (> y 1))"), ("b", SEED), ("c", "(")):
        (tmp_path / f"{name}.smt2").write_text(text)
    asked = ["-t", "storm", "--count", "1"]
    result = CliRunner().invoke(mutate.command, [str(tmp_path), *asked], catch_exceptions=False)
    assert (result.exit_code, result.stdout.count("; seed: ")) == (0, 1)
    lines = result.stderr.splitlines()
    assert [line.startswith(f"falsum: left out: {tmp_path}/") for line in lines] == [True, True]
    with pytest.raises(ScriptError):
        CliRunner().invoke(mutate.command, [str(tmp_path / "a.smt2"), *asked], catch_exceptions=False)


def test_mutants_of_horn_clauses_stay_horn_and_others_are_counted(tmp_path: Path) -> None:
    """Also those of z3's fixedpoint engine, which are read as Horn clauses."""
    seed = tmp_path / "rules.smt2"
    seed.write_text(
        "(declare-rel p (Int))(declare-var x Int)(rule (=> (= x 0) (p x)))"
        "(rule (=> (and (p x) (or (< x 5) (> x 7))) (p (+ x 1))))(query p)"
    )
    result = CliRunner().invoke(mutate.command, [str(seed), "-t", "opfuzz", "--count", "40"])
    scripts = re.split(r"(?=^; strategy)", result.stdout, flags=re.MULTILINE)[1:]
    assert len(scripts) == 40
    assert all(read_script(text).logic == "HORN" and is_horn(read_script(text)) for text in scripts)
    assert re.search(r"rules.smt2: \d+ mutants left out: no longer Horn clauses", result.stderr)
