"""Scripts as calls: the same verdicts, what is known of them, and what cannot be turned into calls."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.api.checks.stories import CAPABILITIES
from tests.api.conftest import Make

from falsum.api.actions import action_of
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Bounds, Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import OK, Line, Trace, from_lines
from falsum.api.traces.from_script import ScriptLines, theories_of
from falsum.api.traces.passes import renumber
from falsum.errors import UsageError
from falsum.smtlib.syntax.reader import read_script

SCRIPT = """(set-logic UFLIA)
(set-info :status STATUS)
(declare-sort U 0)
(declare-fun f (Int) Int)
(declare-fun g (U) Int)
(declare-const |a b| Int)
(declare-const u U)
(define-fun twice ((x Int)) Int (+ x x))
(assert (! (let ((y (f |a b|))) (> (twice y) (* 2 y))) :named first))
(push 1)
(assert (forall ((z Int)) (=> (> z |a b|) (< (g u) z))))
(check-sat)
(pop 1)
(check-sat)
"""


def lines_of(text: str) -> list[Line]:
    script = read_script(text)
    sorts = (*CAPABILITIES.sorts, "->", "Real")
    capabilities = msgspec.structs.replace(CAPABILITIES, sorts=sorts)
    mirror = Mirror(capabilities, Bounds(), ("core", *theories_of(script)))
    lines = []
    for line in ScriptLines(script, mirror):
        action_of(line).apply(mirror, line, OK)
        lines.append(line)
    return lines


def test_a_script_becomes_calls() -> None:
    script = read_script(SCRIPT)
    assert set(theories_of(script)) - {"core"} == {"uf", "ints", "quantifiers"}
    words = [line.word for line in lines_of(SCRIPT.replace("STATUS", "unsat"))]
    assert words.count("assert") == words.count("check") == words.count("claim") == 2
    assert [word for word in words if word in ("push", "pop", "check")] == ["push", "check", "pop", "check"]
    assert words.count("const") == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(declare-datatype L ((n) (c (h Int))))\n(assert true)\n",
            "no call does what DeclareDatatypes does",
        ),
        ("(declare-const x Int)\n(assert (> (abs x) 0))\n", "z3 has no call for abs"),
        ("(declare-const x Real)\n(declare-const i Int)\n(assert (= (+ x i) x))\n", "z3 has no call for"),
    ],
)
def test_what_has_no_call_is_said(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        lines_of(text)


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_runs_begin_with_the_script_and_know_its_verdict(name: str, make: Make, tmp_path: Path) -> None:
    for status, ending in (("unsat", RunStatus.DONE), ("sat", RunStatus.CHECK_FAILED)):
        file = tmp_path / f"{status}.smt2"
        file.write_text(SCRIPT.replace("STATUS", status))
        fuzzer = make(name, Settings(scripts=(str(file),), options=0, compare=0, seconds=5.0))
        result = fuzzer.run(1)
        assert result.status is ending, result.evidence
        assert result.verdicts[:1] == ("unsat",)
        if ending is RunStatus.CHECK_FAILED:
            assert "unsat now, sat by the script" in result.evidence
            assert fuzzer.confirm(result)
        else:
            assert len(result.trace.steps) > len(lines_of(file.read_text())) + 3  # it goes on


def test_a_claim_holds_for_its_formulas_only(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "sat.smt2"
    file.write_text(SCRIPT.replace("STATUS", "sat"))
    fuzzer = make("z3", Settings(scripts=(str(file),), options=0, compare=0, seconds=5.0))
    trace = fuzzer.run(1).trace
    assert len(fuzzer.mirror_after(Trace(from_lines(renumber(trace.lines)).steps, trace.header)).claims) == 1
    changed = [
        line._replace(args=(line.args[0], "3")) if line.word == "value" else line for line in trace.lines
    ]
    assert not fuzzer.mirror_after(Trace(from_lines(changed).steps, trace.header)).claims


def test_no_usable_script_is_an_error(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "datatypes.smt2"
    file.write_text("(declare-datatype L ((n) (c (h Int))))\n(check-sat)\n")
    with pytest.raises(UsageError, match="no script can be turned into calls of z3"):
        make("z3", Settings(scripts=(str(file),)))


def test_scripts_without_calls_are_named_where_others_have_some(make: Make, tmp_path: Path) -> None:
    refused, usable = tmp_path / "datatypes.smt2", tmp_path / "usable.smt2"
    refused.write_text("(declare-datatype L ((n) (c (h Int))))\n(check-sat)\n")
    usable.write_text("(declare-const x Int)\n(assert (< x 3))\n(check-sat)\n")
    fuzzer = make("z3", Settings(scripts=(str(refused), str(usable))))
    (note,) = fuzzer.check_settings()
    assert note.startswith(f"z3: left out, since there are no calls for it: {refused}: ")
