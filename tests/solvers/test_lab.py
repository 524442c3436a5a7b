"""The lab without solvers: functions in its place, and a liar at the doctor's."""

from __future__ import annotations

import shlex
import sys

import pytest

from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.doctor import examine
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import Lab, LiveLab, _Memory, undo
from falsum.solvers.options import Option
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def asked(lab: Lab, script: str) -> list[Verdict | None]:
    return [lab.ask(Request(name, script)).verdict for name in lab.solvers]


def test_functions_make_a_lab() -> None:
    model = Answer((Verdict.SAT,), FINISHED, model="()")
    lab = FakeLab(
        {"honest": lambda _script: "sat", "liar": lambda _script: "unsat", "modest": lambda _: model}
    )
    assert asked(lab, "(check-sat)") == [Verdict.SAT, Verdict.UNSAT, Verdict.SAT]
    assert lab.asked[0] == ("honest", "(check-sat)")
    with pytest.raises(UsageError):
        lab.ask(Request("nobody", ""))


def test_a_lab_knows_its_solvers_only() -> None:
    with LiveLab([]) as lab, pytest.raises(UsageError, match="no solver 'z3'"):
        lab.ask(Request("z3", "(check-sat)"))


def test_a_lab_forgets_the_oldest_answers() -> None:
    memory = _Memory()
    answer = Answer((), FINISHED, stdout="x" * 1_000_000)
    for number in range(40):
        memory.put(Request("a", str(number)), answer)
        memory.put(Request("a", str(number)), answer)
    assert memory.get(Request("a", "39")) is answer
    assert memory.get(Request("a", "0")) is None
    assert len(memory) == 8


def test_an_answer_too_long_to_remember_drops_no_other() -> None:
    memory = _Memory()
    short, long = Answer((), FINISHED), Answer((), FINISHED, stdout="x" * (9 << 20))
    memory.put(Request("a", "short"), short)
    memory.put(Request("a", "long"), long)
    assert memory.get(Request("a", "short")) is short
    assert memory.get(Request("a", "long")) is None


def test_the_doctor_notices_a_liar() -> None:
    liar = resolve(shlex.join([sys.executable, "-c", "print('sat')"]), Zoo())
    checkup = examine(liar)
    assert not checkup.healthy
    assert checkup.remarks["ints"] == "wrong answer"
    assert checkup.remarks["models"] == "no model"
    assert checkup.works["reals"]


def test_verdicts_contradict_only_when_both_decide() -> None:
    assert Verdict.SAT.contradicts(Verdict.UNSAT)
    assert not Verdict.SAT.contradicts(Verdict.SAT)
    assert not Verdict.UNKNOWN.contradicts(Verdict.UNSAT)


def test_settings_that_outlive_a_reset_are_undone() -> None:
    expanding = "(set-option :rewriter.som true)"
    product = "(declare-const x Real)(declare-const y Real)(check-sat)(simplify (* x (+ y 1.0)))"
    with LiveLab([resolve("z3", Zoo())]) as lab:
        plain = lab.ask(Request("z3", product, cold=True)).stdout
        expanded = lab.ask(Request("z3", expanding + product, cold=True)).stdout
        assert plain != expanded
        for script, printed in ((product, plain), (expanding + product, expanded), (product, plain)):
            assert lab.ask(Request("z3", script, again=True)).stdout == printed
        assert lab.usage.warm == 3


def test_a_text_has_no_default_to_go_back_to() -> None:
    flag, text = Option("smt.x", "bool", "false"), Option("trace_file", "text", "z3.log")
    assert undo(()) == ""
    assert undo((("smt.x true", flag),)) == "\n(reset)(set-option :smt.x false)"
    assert undo((("smt.x true", flag), ("trace_file a", text))) == ""
