"""Real solvers of every product and many releases, cold and warm; missing ones skip and say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from falsum.smtlib.text.script_modes import MODES
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.doctor import examine
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

SAT, UNSAT = Verdict.SAT, Verdict.UNSAT
BV = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n"
FROM_INDEX = ("z3@4.8.10", "z3", "cvc5@1.1.0", "cvc5", "bitwuzla", "yices", "boolector")
FROM_DEBIAN = ("z3@system", "cvc5@system", "cvc4@system", "boolector@system")
RELEASES = [*FROM_INDEX, *(pytest.param(name, marks=pytest.mark.debian) for name in FROM_DEBIAN)]
ASKED = f"{BV}(assert (bvult x #x05))(declare-fun y () (_ BitVec 8))(assert (= (bvadd x y) #x02))(check-sat)"
REFUTED = ASKED.replace("(check-sat)", "(assert (bvugt x #x07))(check-sat)")
HARD = """(set-logic QF_NIA)
(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)
(assert (and (> x 1000) (> y 1000) (> z 1000)))
(assert (= (+ (* x x x x x) (* y y y y y)) (* z z z z z)))
(check-sat)
"""


@pytest.mark.parametrize("name", RELEASES)
def test_a_release_answers_cold_and_warm(name: str, lab_of: Callable[..., LiveLab]) -> None:
    lab = lab_of(name)
    for script, verdict in (
        (f"{BV}(assert (bvult x #x05))(check-sat)", SAT),
        (f"{BV}(assert (bvult x x))(check-sat)", UNSAT),
    ):
        for cold in (True, False, False):
            answer = lab.ask(Request(name, script, cold=cold, again=True))
            assert answer.finished, answer
            assert answer.verdicts == (verdict,)
            assert 0 < answer.cpu < 20
    refused = lab.ask(Request(name, f"{BV}(assert (= x undeclared))(check-sat)"))
    assert refused.ending.kind is EndingKind.REJECTED, refused
    assert refused.verdicts == (Verdict.MISSING,)
    assert refused.verdict is None


def test_boolector_decides_quantifiers_and_survives_where_it_cannot(lab_of: Callable[..., LiveLab]) -> None:
    lab = lab_of("boolector")
    check = "(assert (forall ((y (_ BitVec 4))) (not (= ((_ zero_extend 4) y) x))))(check-sat)"
    script = f"{BV.replace('QF_', '')}{check}"
    for cold in (True, False, False):
        assert lab.ask(Request("boolector", script, cold=cold, again=True)).verdicts == (SAT,)
        twice = lab.ask(Request("boolector", f"{script}(check-sat)", cold=cold, again=True))
        assert twice.ending.kind is EndingKind.REJECTED, twice


@pytest.mark.parametrize("name", FROM_INDEX[:6])
def test_models_and_cores_are_the_same_warm_and_cold(name: str, lab_of: Callable[..., LiveLab]) -> None:
    lab = lab_of(name)
    sat = f"{BV}(assert (= x #x05))(check-sat)"
    unsat = f"{BV}(assert (= x #x01))(assert true)(assert (= x #x02))(check-sat)"
    for cold in (True, False):
        model = lab.ask(Request(name, sat, Want.MODEL, cold=cold))
        assert model.model is not None
        assert "#b00000101" in model.model or "#x05" in model.model
        core = lab.ask(Request(name, unsat, Want.CORE, cold=cold)).core
        assert core is not None
        assert sorted(core.strip("()").split()) == ["falsum!1", "falsum!3"]


@pytest.mark.debian
def test_names_that_a_host_would_keep_have_a_process_of_their_own(lab_of: Callable[..., LiveLab]) -> None:
    """cvc4 keeps the names of terms after `(reset)`, and refuses to declare them again."""
    lab = lab_of("cvc4@system")
    named = f"{BV}(assert (! (= x #x05) :named n))(check-sat)"
    plain = f"{BV}(declare-fun n () Bool)(assert n)(check-sat)"
    for _ in range(2):
        assert lab.ask(Request("cvc4@system", named, again=True)).verdict is SAT
        assert lab.ask(Request("cvc4@system", plain, again=True)).verdict is SAT
    assert (lab.usage.cold, lab.usage.warm) == (2, 2)


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_time_out_ends_the_host_and_the_next_script_is_answered(
    name: str, lab_of: Callable[..., LiveLab]
) -> None:
    lab = lab_of(name)
    assert lab.ask(Request(name, HARD, seconds=1.5)).ending.kind is EndingKind.TIMED_OUT
    assert lab.ask(Request(name, f"{BV}(check-sat)")).verdict is SAT
    assert lab.ask(Request(name, HARD, cold=True, seconds=1.5)).ending.kind is EndingKind.TIMED_OUT


def test_nothing_leaks_from_one_script_to_the_next(lab_of: Callable[..., LiveLab]) -> None:
    lab = lab_of("z3")
    first = (
        "(set-info :status sat)(set-option :smt.random_seed 7)(declare-const x Int)(assert false)(check-sat)"
    )
    assert lab.ask(Request("z3", first)).verdict is UNSAT
    second = lab.ask(Request("z3", "(declare-const y Int)(assert (= x y))(check-sat)"))
    assert second.ending.cause is Cause.SYNTAX
    assert lab.ask(Request("z3", "(declare-const x Bool)(assert x)(check-sat)")).verdicts == (SAT,)


def test_hostile_scripts_do_no_harm(lab_of: Callable[..., LiveLab], tmp_path: object) -> None:
    lab = lab_of("z3", "cvc5")
    script = (
        f'(set-option :regular-output-channel "{tmp_path}/out")'
        f'(set-option :diagnostic-output-channel "{tmp_path}/err")'
        f'(echo "unsat"){BV}(check-sat)(exit)(check-sat)'
    )
    for name in lab.solvers:
        for cold in (True, False):
            assert lab.ask(Request(name, script, cold=cold)).verdicts == (SAT,)
        assert resolve(name, Zoo()).prepare(script).changes
        assert lab.ask(Request(name, "(assert (((")).verdicts == ()


def test_the_lab_asks_once_and_counts(lab_of: Callable[..., LiveLab]) -> None:
    lab = lab_of("z3")
    script = f"{BV}(check-sat)"
    assert lab.ask(Request("z3", script)) is lab.ask(Request("z3", script))
    assert (lab.usage.warm, lab.usage.remembered) == (1, 1)
    lab.ask(Request("z3", script, cold=True))
    lab.ask(Request("z3", script, cold=True, again=True))
    assert lab.usage.cold == 2
    assert lab.usage.cpu > 0


def test_a_solver_may_be_replaced_by_another_of_its_name(find: Callable[[str], Solver]) -> None:
    asked = Request("z3", "(declare-fun i () Int)(assert (< i 5))(check-sat)", again=True)
    with LiveLab([find("z3")]) as lab:
        assert lab.ask(asked).verdicts == (SAT,)
        lab.add(replace(find("bitwuzla"), name="z3"))
        assert lab.ask(asked).ending.kind is EndingKind.REJECTED  # bitwuzla has no integers


def test_the_doctor_finds_falsums_own_solvers_healthy(find: Callable[[str], Solver]) -> None:
    checkup = examine(find("z3"))
    assert checkup.healthy
    assert all(checkup.works.values()), checkup.remarks
    assert checkup.warm_ms is not None
    bitwuzla = examine(find("bitwuzla"))
    assert bitwuzla.healthy
    assert bitwuzla.works["floats"]
    assert not bitwuzla.works["strings"]


@pytest.mark.parametrize("name", ["z3", "z3@4.8.10", "cvc5", "bitwuzla"])
@pytest.mark.parametrize("mode", MODES)
def test_solvers_answer_alike_in_every_mode(name: str, mode: str, lab_of: Callable[..., LiveLab]) -> None:
    variant = f"{name}:script={mode}"
    # Bitwuzla 0.9.1 fails to print a model after (reset-assertions): "expected non-null object".
    want = Want.VERDICT if variant == "bitwuzla:script=again" else Want.MODEL
    lab = lab_of(variant)
    for script, verdict in ((ASKED, SAT), (REFUTED, UNSAT)):
        for cold in (False, True):
            answer = lab.ask(Request(variant, script, want, cold=cold))
            assert (answer.verdicts, answer.finished) == ((verdict,), True), answer
            assert (answer.model is not None) is (want is Want.MODEL and verdict is SAT)


@pytest.mark.parametrize(
    "name", ["cvc5", "cvc5@1.1.0", pytest.param("cvc5@system", marks=pytest.mark.debian)]
)
def test_separation_logic_is_answered_with_its_heap(name: str, lab_of: Callable[..., LiveLab]) -> None:
    """An incremental solver refuses it, and the library is one unless told otherwise."""
    script = "(set-logic ALL)(declare-heap (Int Int))(declare-const x Int)(assert (pto x 5))(check-sat)"
    lab = lab_of(name)
    for cold in (True, False):
        answer = lab.ask(Request(name, script, Want.MODEL, cold=cold))
        assert answer.finished, answer
        assert answer.verdicts == (SAT,)
        assert "(heap\n(pto" in str(answer.model)
    several = lab.ask(Request(name, f"{script}(check-sat)"))
    assert several.ending.kind is EndingKind.REJECTED
