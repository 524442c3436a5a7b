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
