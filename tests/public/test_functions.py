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


VALUES = [
    ("(tuple 2 3)", "(tuple 2 3)"),
    ("(set.insert 1 (set.singleton 3))", "(set.union (set.singleton 1) (set.singleton 3))"),
    ("(cons (+ 4 5) nil)", "(cons 9 nil)"),
    ("(seq.++ (seq.unit 1) (seq.unit 2))", "(seq.++ (seq.unit 1) (seq.unit 2))"),
    ("(as seq.empty (Seq Int))", "(as seq.empty (Seq Int))"),
    ("(as set.empty (Set Int))", "(as set.empty (Set Int))"),
    ("(bag 2 3)", "(bag 2 3)"),
    ("(store ((as const (Array Int Int)) 3) 1 2)", "(store ((as const (Array Int Int)) 3) 1 2)"),
    ("tuple.unit", "tuple.unit"),
    ("(nullable.some 3)", "(nullable.some 3)"),
    ("(/ 1.0 (- 3.0))", "(- (/ 1.0 3.0))"),
]


@pytest.mark.parametrize(("term", "value"), VALUES)
def test_values_are_terms_that_can_be_read(term: str, value: str) -> None:
    lists = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))"
    assert falsum.evaluate_term(term, lists, "()") == value
    assert falsum.evaluate_term(value, lists, "()") == value
    assert falsum.evaluate(f"{lists}(assert (= {term} {value}))", "()") == [True]


@pytest.mark.parametrize("term", ["f", "(lambda ((x Int)) x)"])
def test_functions_have_no_value_in_smt_lib(term: str) -> None:
    assert isinstance(falsum.evaluate_term(term, "(declare-fun f (Int) Int)", "()"), CannotSay)


def test_a_script_that_cannot_be_sent_whole_is_refused() -> None:
    for function in (falsum.solve, falsum.judge):
        with pytest.raises(UsageError, match="cannot be sent as it is"):
            function("(assert (= 1 (2, 3)))(check-sat)", ["z3"])


def test_odd_names_are_sent_under_others() -> None:
    text = "(declare-const |a\x01b| Int)(assert (> |a\x01b| 0))(check-sat)"
    assert falsum.solve(text, ["z3"])["z3"].verdict is Verdict.SAT


def test_options_and_echoes_that_are_not_sent_change_no_verdict() -> None:
    text = '(set-option :dump-to "x")(echo "a")(assert true)(check-sat)(exit)'
    assert falsum.solve(text, ["z3"])["z3"].verdict is Verdict.SAT


def test_only_what_holds_at_the_last_check_is_evaluated() -> None:
    text = "(declare-const x Int)(push 1)(assert (> x 3))(check-sat)(pop 1)(assert (< x 3))(check-sat)"
    assert falsum.evaluate(text, "((define-fun x () Int 1))") == [True]


def test_files_are_named_by_text_or_path(tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_text(SCRIPT)
    assert falsum.read_file(str(file)) == falsum.read_file(file) == falsum.read_script(SCRIPT)
