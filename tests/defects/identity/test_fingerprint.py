"""Fingerprints: what stays the same from sighting to sighting of one bug, and what does not."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.finding import digest_of
from falsum.defects.identity.fingerprint import Fingerprint, fingerprint, parse_fingerprint
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Request

WRONG = Judgement(Defect.REFUTATION_UNSOUNDNESS, ("z3@4.8.10.0",), Verdict.SAT, ())
CRASH = Judgement(Defect.CRASH, ("z3",), None, ())


def known_by(script: str, judgement: Judgement = WRONG) -> Fingerprint:
    return fingerprint(script, judgement, liars.lab_of(z3=liars.says("sat")))


def crashed(detail: str, cause: Cause = Cause.ASSERTION) -> Answer:
    return Answer((), Ending(EndingKind.CRASHED, cause, detail))


def test_a_wrong_answer_is_known_by_what_the_script_is_made_of() -> None:
    found = known_by("(declare-const s String)(assert (= (str.len s) (str.len (str.++ s s))))(check-sat)")
    assert found.signature == "refutation unsoundness | z3 |  | Strings | = str.++ str.len*2 |"


def test_names_values_and_releases_do_not_matter() -> None:
    one = known_by("(declare-const s String)(assert (= (str.len s) 3))(check-sat)")
    other = Judgement(Defect.REFUTATION_UNSOUNDNESS, ("z3@4.8.5.0", "z3"), Verdict.SAT, ())
    assert one == known_by("(declare-const t String)(assert (= (str.len t) 12))(check-sat)", other)


def test_options_that_are_needed_count_and_requests_do_not() -> None:
    text = "(set-option :produce-models true)(set-option :smt.arith.solver 2)(assert false)(check-sat)"
    judgement = Judgement(Defect.SOLUTION_UNSOUNDNESS, ("z3:rewriter.flat=false",), Verdict.UNSAT, ())
    assert known_by(text, judgement).options == (":rewriter.flat=false", ":smt.arith.solver=2")


@pytest.mark.parametrize("solver", ["/opt/z3:old=new/z3", "z3 -smt2 sat:a=b"])
def test_paths_and_command_lines_have_no_settings(solver: str) -> None:
    judgement = Judgement(Defect.SOLUTION_UNSOUNDNESS, (solver,), Verdict.UNSAT, ())
    assert known_by("(assert false)(check-sat)", judgement).options == ()


def test_a_term_in_two_assertions_is_one() -> None:
    text = "(declare-const x Int)(assert (> (abs x) 1))(assert (< (abs x) 9))(check-sat)"
    assert known_by(text).operators == (("<", 1), (">", 1), ("abs", 1))


def test_a_crash_is_looked_for_in_fresh_processes() -> None:
    lab = liars.TwoFacedLab(liars.sat(), [crashed("n > 0 failed at a.cpp")], solvers=("z3",))
    assert fingerprint("(check-sat)", CRASH, lab).place == "assertion: n > 0 failed at a.cpp"


def test_old_and_new_names_of_an_operator_are_one() -> None:
    one = known_by('(assert (str.in_re "a" (str.to_re "b")))(check-sat)')
    assert one == known_by('(assert (str.in.re "a" (str.to.re "b")))(check-sat)')


def test_conversions_that_are_not_written_are_no_part_of_it() -> None:
    found = known_by("(declare-const x Int)(assert (< x 1.5))(check-sat)")
    assert found.operators == (("<", 1),)


def test_recursion_is_part_of_it() -> None:
    body = "((x Int)) Int (ite (= x 1) x (g (- x 1)))"
    one = known_by(f"(define-fun-rec g {body})(assert (= (g 3) 4))(check-sat)")
    assert dict(one.operators)["recursion"] == 1
    assert one.theories == ("Arithmetic", "recursion", "uf")
    both = f"(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) (x {body.partition('Int ')[2]}))"
    two = known_by(f"{both}(assert (= (g 3) (f 4)))(check-sat)")
    assert dict(two.operators)["recursion"] == 2


def test_datatypes_functions_quantifiers_and_lets_are_part_of_it() -> None:
    text = (
        "(declare-datatype D ((c (s Int)) (d)))(declare-fun f (Int) Int)(declare-const x D)"
        "(assert ((_ is c) (c 1)))(assert (= (s x) (f 1)))(assert (forall ((y Int)) (= y y)))"
        "(assert (let ((z (f 2))) (< z 1)))(check-sat)"
    )
    found = known_by(text)
    assert found.theories == ("Arithmetic", "datatypes", "quantifiers", "uf")
    assert dict(found.operators) == {
        "<": 1, "=": 2, "apply": 2, "constructor": 1, "forall": 1, "let": 1, "selector": 1, "tester": 1,
    }  # fmt: skip


def test_a_debugger_is_asked_where_there_is_only_a_signal() -> None:
    def frames(request: Request) -> str:
        return f"#0  0x1 in {request.solver}_rewrite ()\n#1  0x2 in main_loop ()\n"

    mute = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))
    lab = liars.lab_of(z3=liars.says(mute))
    found = fingerprint("(declare-const x Int)(assert (= (abs x) 3))(check-sat)", CRASH, lab, (), frames)
    assert (found.place, found.operators) == ("signal: SIGSEGV < z3_rewrite < main_loop", ())
    told = Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "n > 0"))
    found = fingerprint("(check-sat)", CRASH, liars.lab_of(z3=liars.says(told)), (), frames)
    assert found.place == "assertion: n > 0"


def test_equations_alone_are_known_by_their_sorts() -> None:
    strings = known_by("(declare-const s String)(declare-const t String)(assert (= s t))(check-sat)")
    floats = known_by("(declare-const s Float32)(declare-const t Float32)(assert (= s t))(check-sat)")
    assert (strings.theories, floats.theories) == (("Strings",), ("FloatingPoint",))
    assert strings.operators == floats.operators


def test_a_crash_is_known_by_its_message_alone() -> None:
    lab = liars.lab_of(z3=lambda _script: crashed("Assertion `n > 0' failed at /build/a7/rewriter.cpp:117"))
    found = fingerprint("(assert true)(check-sat)", CRASH, lab)
    assert found.place == "assertion: Assertion `n > 0' failed at rewriter.cpp"
    assert found.operators == ()


def test_where_there_is_only_a_signal_the_script_tells() -> None:
    lab = liars.lab_of(z3=lambda _script: crashed("SIGSEGV", Cause.SIGNAL))
    found = fingerprint("(declare-const x Int)(assert (= (abs x) 3))(check-sat)", CRASH, lab)
    assert (found.place, found.operators) == ("signal: SIGSEGV", (("=", 1), ("abs", 1)))


@pytest.mark.parametrize(
    "made",
    [
        Fingerprint("crash", "z3", "assertion: a / b"),
        Fingerprint("crash", "z3", "signal: SIGSEGV", ("Arithmetic",), (("*", 2), ("**", 1), ("+", 1))),
        Fingerprint("invalid model", "cvc4+cvc5", "", (), (("=", 3),), (":a=b", ":c=d")),
        Fingerprint("undecided", "?"),
    ],
)
def test_a_signature_can_be_read_back(made: Fingerprint) -> None:
    assert parse_fingerprint(made.signature) == made
    assert made.digest == digest_of(made.signature)


@pytest.mark.parametrize("line", ["", "disagreement | z3 | x", "crash", "crash | z3 | a | b | c | d | e"])
def test_other_lines_are_no_fingerprints(line: str) -> None:
    assert parse_fingerprint(line) is None
