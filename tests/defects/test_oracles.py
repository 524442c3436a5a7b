"""What each oracle looks at, and what it must not fall for."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.confirmation import confirmed, examine
from falsum.defects.defect import Oracle
from falsum.defects.finding import FLAKY
from falsum.defects.kinds.crash import CrashOracle
from falsum.defects.kinds.invalid_model import ModelOracle
from falsum.defects.kinds.state_leak import LeakOracle
from falsum.defects.kinds.wrong_verdict.claim import BrokenClaimError, ClaimOracle
from falsum.defects.kinds.wrong_verdict.disagreement import DisagreementOracle
from falsum.defects.model_check import falsified, satisfies
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab

UNSAT = Answer((Verdict.UNSAT,), FINISHED)
CRASHED = Answer((), liars.CRASH)

INCREMENTAL = """(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(push 1)
(assert (> x 5))
(check-sat)
(pop 1)
(check-sat)
(check-sat-assuming ((< x 3)))
"""


def incremental_model(script: str) -> Answer:
    """x = 1 at every check: right but for the first."""
    checks = script.count("(check-sat")
    return Answer((Verdict.SAT,) * checks, FINISHED, model=liars.GOOD_MODEL)


def test_a_model_is_held_against_what_is_in_force_at_its_check() -> None:
    finding = ModelOracle().find(liars.case_of(INCREMENTAL), FakeLab({"solver": incremental_model}))
    assert finding is not None
    assert "check 1" in finding.evidence
    assert "(> x 5)" in finding.evidence


def test_after_a_pop_the_popped_assertion_counts_no_more() -> None:
    text = INCREMENTAL.replace("(assert (> x 5))\n(check-sat)", "(assert (> x 5))")
    assert ModelOracle().find(liars.case_of(text), FakeLab({"solver": incremental_model})) is None


def test_assumptions_count_at_their_check() -> None:
    text = INCREMENTAL.replace("(> x 5)", "(> x 0)").replace("(< x 3)", "(< x 1)")
    finding = ModelOracle().find(liars.case_of(text), FakeLab({"solver": incremental_model}))
    assert finding is not None
    assert "check 3" in finding.evidence


@pytest.mark.parametrize(
    "model", ["((define-fun y () Int 1))", "garbage", "((define-fun x () Int (frob 1)))", "()"]
)
def test_a_model_we_cannot_read_proves_nothing(model: str) -> None:
    assert ModelOracle().find(liars.case_of(), liars.lab_of(solver=liars.says(liars.sat(model)))) is None


def test_a_model_that_leaves_a_division_open_proves_nothing() -> None:
    text = "(declare-const x Int)(assert (= (div x 0) 7))(check-sat)"
    case = liars.case_of(text)
    assert ModelOracle().find(case, liars.lab_of(solver=liars.says(liars.sat(liars.GOOD_MODEL)))) is None


def test_a_self_check_is_an_alarm_and_no_crash() -> None:
    alarm = Answer((), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, "an invalid model was generated"))
    assert CrashOracle().find(liars.case_of(), liars.lab_of(solver=liars.says(alarm))) is None


def test_crash_signatures_have_places_and_no_addresses() -> None:
    def crash(detail: str) -> str:
        answer = Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, detail))
        finding = CrashOracle().find(liars.case_of(), liars.lab_of(solver=liars.says(answer)))
        assert finding is not None
        return finding.signature

    one = crash("Assertion failed at /tmp/x1/src/a.cpp:12 (0x7ffe12)")
    assert one == crash("Assertion failed at /home/me/src/a.cpp:12 (0xdeadbeef)")
    assert one != crash("Assertion failed at /home/me/src/a.cpp:13 (0xdeadbeef)")


def test_a_signal_says_nothing_so_the_operators_do() -> None:
    answer = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))
    lab = liars.lab_of(solver=liars.says(answer))
    finding = CrashOracle().find(liars.case_of(), lab)
    other = CrashOracle().find(liars.case_of("(declare-const x Int)(assert (= (div x 2) 1))(check-sat)"), lab)
    assert finding is not None
    assert other is not None
    assert finding.signature != other.signature
    assert "div" in other.signature


def test_a_broken_witness_blames_no_solver() -> None:
    case = liars.case_of(claim=Verdict.SAT, witness=liars.BAD_MODEL)
    with pytest.raises(BrokenClaimError):
        ClaimOracle().find(case, liars.lab_of(solver=liars.says(UNSAT)))


def test_the_smaller_side_is_suspected() -> None:
    lab = liars.lab_of(a=liars.says("sat"), b=liars.says("unsat"), c=liars.says("sat"))
    finding = DisagreementOracle().find(liars.case_of(), lab)
    assert finding is not None
    assert finding.suspects == ("b",)


@pytest.mark.parametrize(
    ("unsat", "suspects"),
    [
        (("z3",), ("cvc5", "cvc5:script=push", "z3")),
        (
            ("z3", "z3@4.8.12", "z3:script=push"),
            ("cvc5", "cvc5:script=push", "z3", "z3:script=push", "z3@4.8.12"),
        ),
        (("z3", "yices"), ("cvc5", "cvc5:script=push")),
    ],
)
def test_configurations_and_releases_of_a_product_count_once(
    unsat: tuple[str, ...], suspects: tuple[str, ...]
) -> None:
    answers = dict.fromkeys(("cvc5", "cvc5:script=push"), "sat") | dict.fromkeys(unsat, "unsat")
    lab = liars.lab_of(**{name: liars.says(word) for name, word in answers.items()})
    finding = DisagreementOracle().find(liars.case_of(), lab)
    assert finding is not None
    assert finding.suspects == suspects


def test_an_open_point_taken_differently_is_no_disagreement() -> None:
    text = "(declare-const x Real)(assert (= (/ x 0.0) 1.0))(check-sat)"
    fixes = liars.says("unsat")  # whatever is divided by zero, nothing comes of it
    free = liars.says("sat")
    assert DisagreementOracle().find(liars.case_of(text), liars.lab_of(fixes=fixes, free=free)) is None

    def wrong(script: str) -> str:
        return "unsat" if script == text else "sat"

    assert DisagreementOracle().find(liars.case_of(text), liars.lab_of(wrong=wrong, free=free)) is not None


def test_old_string_escapes_are_no_disagreement() -> None:
    text = r'(declare-const s String)(assert (= s "\x41"))(assert (= (str.len s) 4))(check-sat)'
    old, new = liars.says("unsat"), liars.says("sat")
    assert DisagreementOracle().find(liars.case_of(text), liars.lab_of(old=old, new=new)) is None


def test_old_string_escapes_in_a_model_prove_nothing() -> None:
    text = "(declare-const s String)(assert (= (str.len s) 1))(check-sat)"
    model = r'((define-fun s () String "\x00"))'

    def old(script: str) -> Answer:
        return liars.sat(model) if script == text else UNSAT

    assert ModelOracle().find(liars.case_of(text), liars.lab_of(old=old)) is None
    assert ModelOracle().find(liars.case_of(text), liars.lab_of(new=liars.says(liars.sat(model)))) is not None


@pytest.mark.parametrize("literal", [r"\x00\x00", r"\0\n", r"\t\177"])
def test_a_model_that_is_wrong_with_old_and_new_escapes_is_wrong(literal: str) -> None:
    text = "(declare-const s String)(assert (= (str.len s) 1))(check-sat)"
    model = f'((define-fun s () String "{literal}"))'

    def old(script: str) -> Answer:
        return liars.sat(model) if script == text else UNSAT

    assert ModelOracle().find(liars.case_of(text), liars.lab_of(old=old)) is not None
    two = text.replace("1", "2")
    assert falsified(read_script(two), model) is None
    assert satisfies(read_script(two), model) == (False, False)


def test_what_shows_only_sometimes_is_flaky() -> None:
    lab = liars.TwoFacedLab(CRASHED, [CRASHED, liars.sat()])
    finding = examine(CrashOracle(), liars.case_of(), lab)
    assert finding is not None
    assert finding.kind == FLAKY
    assert finding.seemed == "crash"
    assert "2 of 3" in finding.evidence


def test_what_shows_only_warm_is_a_leak() -> None:
    wrong_model = liars.TwoFacedLab(liars.sat(liars.BAD_MODEL), [liars.sat(liars.GOOD_MODEL)])
    finding = examine(ModelOracle(), liars.case_of(), wrong_model)
    assert finding is not None
    assert finding.kind == "leak"


@pytest.mark.parametrize("oracle", [CrashOracle(), LeakOracle()])
@pytest.mark.parametrize("cold", [liars.sat(), liars.REJECTED])
def test_a_crash_that_no_fresh_process_shows_is_a_crash_with_a_history(oracle: Oracle, cold: Answer) -> None:
    """Rejecting is an orderly end as well."""
    finding = examine(oracle, liars.case_of(), liars.TwoFacedLab(CRASHED, [cold]))
    assert finding is not None
    assert finding.kind == "crash"
    assert finding.needs_history
    assert finding.signature.startswith("crash | solver | assertion: ")
    assert finding.signature.endswith(" after other scripts")
    assert "in a process that had answered other scripts before; a fresh process does not crash" in (
        finding.evidence
    )


def test_a_leak_says_both_answers() -> None:
    leak_oracle = LeakOracle().find(liars.case_of(), liars.TwoFacedLab(UNSAT, [liars.sat()]))
    assert leak_oracle is not None
    assert leak_oracle.evidence == "solver: unsat when warm, sat when cold"


def test_no_fresh_process_is_asked_where_a_running_one_has_timed_out() -> None:
    """It would have the full time limit, and no answer of it could be compared."""
    lab = FakeLab({"solver": lambda _script: liars.TIMED_OUT})
    assert LeakOracle().find(liars.case_of(), lab) is None
    assert len(lab.asked) == 1


def test_no_answer_when_cold_is_flaky_and_not_a_leak() -> None:
    finding = examine(CrashOracle(), liars.case_of(), liars.TwoFacedLab(CRASHED, [liars.TIMED_OUT]))
    assert finding is not None
    assert finding.kind == FLAKY


def test_a_crash_that_staying_hides_is_a_crash() -> None:
    finding = examine(LeakOracle(), liars.case_of(), liars.TwoFacedLab(liars.sat(), [CRASHED]))
    assert finding is not None
    assert finding.kind == "crash"


def test_a_leak_that_wavers_is_flaky() -> None:
    lab = liars.TwoFacedLab(UNSAT, [liars.sat(), UNSAT, UNSAT])
    first = LeakOracle().find(liars.case_of(), lab)
    assert first is not None
    found = confirmed(LeakOracle(), first, lab)
    assert found is not None
    assert found.kind == FLAKY
