"""The functions of `import falsum`, and that docs/python.md lists just what it offers."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from tests.campaign.places import HONEST, liar

import falsum
from falsum import CannotSay, Defect, ScriptError, UsageError, Verdict
from falsum.app.commands import mutate as mutate_command

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
SCRIPT = "(set-logic QF_LIA)(declare-const x Int)(assert (> (abs x) 2))(assert (< x 9))(check-sat)"


def test_the_page_lists_what_there_is() -> None:
    listed = re.findall(r"^\| `(\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(set(falsum.__all__))
    assert sorted(dir(falsum)) == sorted(falsum.__all__)
    for name in falsum.__all__:
        assert getattr(falsum, name) is not None
        if name != "__version__":
            assert getattr(falsum, name).__doc__, name


def test_nothing_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, falsum\n"
        "assert [name for name in sys.modules if name.startswith('falsum.')] == ['falsum.version']\n"
        "falsum.read_script('(check-sat)')\n"
        "assert 'falsum.solvers' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        falsum.nonsense  # noqa: B018


def test_evaluate() -> None:
    assert falsum.evaluate(SCRIPT, "sat\n((define-fun x () Int 10))") == [True, False]
    (open_,) = falsum.evaluate("(declare-const x Int)(assert (> (div x 0) 1))", "()")
    assert isinstance(open_, CannotSay)
    assert falsum.evaluate_term("(- x)", SCRIPT, "((define-fun x () Int 10))") == "(- 10)"
    assert falsum.evaluate_term("(+ x 1)", falsum.read_script(SCRIPT), "((define-fun x () Int 1))") == "2"
    assert isinstance(falsum.evaluate_term("(div x 0)", SCRIPT, "()"), CannotSay)
    for wrong in ("y", "(+ x", "x x", ")"):
        with pytest.raises(ScriptError):
            falsum.evaluate_term(wrong, SCRIPT, "()")


def test_mutants_are_those_of_the_command_line(tmp_path: Path) -> None:
    from click.testing import CliRunner

    (tmp_path / "a.smt2").write_text(SCRIPT)
    asked = (str(tmp_path / "a.smt2"), "--strategy", "opfuzz", "--rng", "3", "--count", "5")
    printed = CliRunner().invoke(mutate_command.command, asked).stdout
    # The command leaves out repeats.
    made = islice(
        dict.fromkeys(mutant.text for mutant in islice(falsum.mutate(SCRIPT, "opfuzz", rng=3), 200)), 5
    )
    assert "".join(made) == re.sub("^; .*\n", "", printed, flags=re.MULTILINE)


def test_a_strategy_gets_as_many_seeds_as_it_takes() -> None:
    assert next(falsum.mutate((), "generate")).text
    assert next(falsum.mutate([SCRIPT, SCRIPT], "fusion", solvers=["z3"])).reference is None
    with pytest.raises(UsageError, match="fusion needs 2 seeds, not 1"):
        next(falsum.mutate(SCRIPT, "fusion"))
    with pytest.raises(UsageError, match="unknown strategy 'nonsense'"):
        next(falsum.mutate(SCRIPT, "nonsense"))


def test_solve_and_judge() -> None:
    lying = liar("verdict", "abs")
    answers = falsum.solve(falsum.read_script(SCRIPT), [lying, "z3"])
    assert {name: answer.verdict for name, answer in answers.items()} == {
        lying: Verdict.UNSAT,
        "z3": Verdict.SAT,
    }
    judged = falsum.judge(SCRIPT, [lying, "z3"])
    assert (judged.defect, judged.suspects) == (Defect.REFUTATION_UNSOUNDNESS, (lying,))
    assert judged.evidence
    assert falsum.solve(SCRIPT, ["z3"], want="model")["z3"].model
    assert falsum.judge(SCRIPT, [HONEST, "z3"]).suspects == ()
    with pytest.raises(UsageError, match="at least one solver"):
        falsum.solve(SCRIPT, [])


def test_reduce() -> None:
    small = falsum.reduce(SCRIPT, lambda text: "(< x " in text)
    assert "(< x " in small.text
    assert "abs" not in small.text
    assert small.is_confirmed
    with pytest.raises(UsageError):
        falsum.reduce(SCRIPT, lambda _text: False)
