"""`falsum eval`: the truth of each assertion, as scripts use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from falsum.app.main import main

SCRIPT = """(declare-const x Int) (declare-const y Int)
(assert (> x 3)) (assert (= y 2)) (assert (= (div x 0) 1))
"""


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    assert isinstance(caught.value.code, int)
    return caught.value.code


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "a.smt2"
    file.write_text(SCRIPT)
    return file


def test_each_assertion(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.txt"
    model.write_text("sat\n(\n(define-fun x () Int 5)\n(define-fun y () Int 3)\n)\n")
    assert run("eval", script, "--model", model) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "1: true  (> x 3)",
        "2: false  (= y 2)",
        "3: cannot say (the standard leaves div open here)  (= (div x 0) 1)",
    ]
    assert err == ""


def test_nothing_false(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.txt"
    model.write_text("((define-fun x () Int 5) (define-fun y () Int 2))")
    assert run("eval", script, "--model", model, "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["answer"] for line in lines] == ["true", "true", "cannot say"]
    assert lines[2] == {
        "check": 1,
        "assertion": 3,
        "term": "(= (div x 0) 1)",
        "answer": "cannot say",
        "reason": "the standard leaves div open here",
    }


def test_unreadable(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.txt"
    model.write_text("((define-fun x () Int (blub)) (define-fun y () Int 2))")
    assert run("eval", script, "--model", model) == 0
    assert capsys.readouterr().err == "falsum: no value for x: 1:24: unknown symbol blub\n"
    model.write_text("hello")
    assert run("eval", script, "--model", model) == 1
    assert "model.txt:1:1: not a model" in capsys.readouterr().err
    assert run("eval", script, "--model", tmp_path / "missing") == 3
    assert run("eval", script) == 2


P, Q, R = "(declare-const p Bool)", "(declare-const q Bool)", "(declare-const r Int)"
GLOBAL = "(set-option :global-declarations true)"
CHECKS = [
    (f"{P}(assert p)", None, ["1: true  p"]),
    (f"{P}(assert p)(check-sat)(assert (not p))", None, ["1: true  p"]),
    (f"{P}(push 1)(assert (not p))(check-sat)(pop 1)(assert p)(check-sat)", None, ["1: true  p"]),
    (f"{P}(push 1)(assert (not p))(check-sat)(pop 1)(assert p)(check-sat)", 1, ["1: false  (not p)"]),
    (f"{P}(push 1)(assert (not p))(check-sat)(pop 1)(assert p)(check-sat)", 2, ["1: true  p"]),
    (f"{P}(assert p)(push 2)(assert (not p))(pop 1)(check-sat)", None, ["1: true  p"]),
    (f"{P}(assert p)(push 1)(assert (not p))(pop 1)", None, ["1: true  p"]),
    (f"{P}(assert p)(push 1)(assert (not p))", None, ["1: true  p", "2: false  (not p)"]),
    (f"{P}(assert p)(check-sat-assuming ((not p)))(check-sat)", None, ["1: true  p"]),
    (f"{P}(assert p)(check-sat-assuming ((not p)))(check-sat)", 1, ["1: true  p", "2: false  (not p)"]),
    (f"{P}(assert (not p))(reset-assertions){P}(assert p)(check-sat)", None, ["1: true  p"]),
    (f"{P}(assert (not p))(reset){P}(assert p)(check-sat)", None, ["1: true  p"]),
    (f"{GLOBAL}{P}(push 1)(assert (! p :named n))(pop 1)(assert (not n))(check-sat)", None,
     ["1: false  (not n)"]),
    (f"(push 1){R}(assert (= r 1))(check-sat)(pop 1)(declare-const r Bool)(assert r)(check-sat)", None,
     ["1: true  r"]),
    (f"{P}(assert p)(check-sat)(exit)(assert (not p))(check-sat)", None, ["1: true  p"]),
    (f"{P}(check-sat)", None, []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "check", "lines"), CHECKS)
def test_what_holds_at_a_check_is_evaluated(
    text: str, check: int | None, lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.smt2").write_text(text)
    (tmp_path / "m").write_text(
        "((define-fun p () Bool true)(define-fun q () Bool true)(define-fun r () Bool true))"
    )
    options = ["--check", str(check)] if check else []
    code = run("eval", tmp_path / "a.smt2", "--model", tmp_path / "m", *options)
    out, err = capsys.readouterr()
    assert (out.splitlines(), err) == (lines, "")
    assert code == any("false" in line for line in lines)
    assert run("eval", tmp_path / "a.smt2", "--model", tmp_path / "m", *options, "--json") == code
    numbers = {json.loads(line)["check"] for line in capsys.readouterr().out.splitlines()}
    assert numbers <= {check or max(1, text.partition("(exit)")[0].count("(check-sat"))}


@pytest.mark.parametrize("number", [0, 3])
def test_a_check_that_does_not_exist_is_refused(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.smt2").write_text(f"{P}(check-sat)(assert p)(check-sat)")
    (tmp_path / "m").write_text("()")
    assert run("eval", tmp_path / "a.smt2", "--model", tmp_path / "m", "--check", str(number)) == 2
    assert "2 checks; --check 3 is none of them" in capsys.readouterr().err or not number


def test_what_a_model_leaves_out_and_what_is_not_understood_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.smt2").write_text(f"{P}{Q}(define-fun d () Bool q)(assert (= q false))(assert d)(frob p)")
    (tmp_path / "m").write_text("((define-fun p () Bool true))")
    assert run("eval", tmp_path / "a.smt2", "--model", tmp_path / "m") == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == ["1: true  (= q false)", "2: cannot say (the model leaves out q)  d"]
    assert err.splitlines() == [
        "falsum: the model leaves out q; its simplest value is taken",
        "falsum: not understood, and not evaluated: (frob p) (unknown command frob)",
    ]
