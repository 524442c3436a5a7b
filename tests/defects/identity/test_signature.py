"""Signatures before reduction: what is in them, and what they leave out."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.identity import signature
from falsum.solvers.answer import Cause, Ending, EndingKind

DECLARED = "(declare-const x Int)(declare-fun f (Int) Int)(declare-const s String)"


@pytest.mark.parametrize(
    ("asserted", "about"),
    [
        ("(> x 0)", "Arithmetic | >"),
        ("(and (> x 0) (> x 1) (= x x))", "Arithmetic | >"),
        ("(= (f x) x)", "uf"),
        ("(= x x)", "core"),
        ("(forall ((y Int)) (= y x))", "quantifiers"),
        ("(exists ((y Int)) (= (f y) (str.len s)))", "Strings quantifiers uf | str.len"),
        ("(= (str.len s) (+ x 1))", "Arithmetic Strings | + str.len"),
    ],
)
def test_theories_and_operators_without_connectives(asserted: str, about: str) -> None:
    case = liars.case_of(f"{DECLARED}(assert {asserted})(check-sat)")
    made = signature.of_wrong_answer("model", ("z3", "cvc5"), case, detail="sat for unsat")
    assert made == f"model | cvc5+z3 | sat for unsat | {about}"
    assert signature.of_slow_answer("z3", case) == f"slow | z3 | {about.partition(' | ')[0]}"
    ending = Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV")
    assert signature.of_crash(case, "z3", ending) == f"crash | z3 | signal: SIGSEGV | {about}"


def test_only_the_wrong_terms_count_where_they_are_known() -> None:
    case = liars.case_of(f"{DECLARED}(assert (> x 0))(assert (= (str.len s) 1))(check-sat)")
    assert case.script is not None
    wrong = case.script.assertions[1:]
    assert signature.of_wrong_answer("model", ("z3",), case, wrong) == "model | z3 | Strings | str.len"


def test_a_script_that_cannot_be_read_is_core() -> None:
    case = liars.case_of("(assert")
    assert signature.of_wrong_answer("leak", ("z3",), case) == "leak | z3 | core"
    assert signature.of_slow_answer("z3", case) == "slow | z3 | core"


def test_a_message_says_enough() -> None:
    case = liars.case_of()
    told = Ending(EndingKind.CRASHED, Cause.ASSERTION, "n > 0")
    assert signature.of_crash(case, "z3", told) == "crash | z3 | assertion: n > 0"
    mute = Ending(EndingKind.CRASHED, Cause.ASSERTION, "")
    assert signature.of_crash(case, "z3", mute).endswith(" | Arithmetic | >")
    assert signature.of_history_crash("z3", told) == "crash | z3 | assertion: n > 0 after other scripts"


@pytest.mark.parametrize(
    ("line", "common"),
    [
        ("model | z3 | Arithmetic ArraysEx | > abs select", "Arithmetic ArraysEx"),
        ("disagreement | cvc5+z3 | cvc5:sat z3:unsat | Strings | str.len", "Strings"),
        ("model | z3 | uf", "uf"),
        ("slow | z3 | Strings", "Strings"),
        ("crash | z3 | signal: SIGSEGV | Strings | str.len", "signal: SIGSEGV"),
        ("crash | z3 | assertion: a.cpp", "assertion: a.cpp"),
        ("of a plug-in", "of a plug-in"),
        ("crash", "crash"),
    ],
)
def test_what_signatures_of_one_bug_have_in_common(line: str, common: str) -> None:
    assert signature.message_or_theories(line) == common
