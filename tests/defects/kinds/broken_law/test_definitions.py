"""Terms that a solver prints: what it is asked about them, and which answers break their definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import pytest
from tests.defects import liars

from falsum.defects.kinds.broken_law.definitions import Broken, broken
from falsum.errors import ScriptError
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab, Reply

T = TypeVar("T")
SAT, UNSAT = Verdict.SAT, Verdict.UNSAT
DECLARED = "(declare-const x Int)(declare-const y Int)(declare-const z Int)"
ONE = f"{DECLARED}(assert (> x 0))(check-sat)"
TWO = f"{DECLARED}(assert (> x y))(assert (< x z))(check-sat)"
# The second assertion is about z, too.
NAMED = f"{DECLARED}(assert (> (! (+ x z) :named n) y))(assert (< n z))(check-sat)"
QUANTIFIED = f"{DECLARED}(assert (exists ((v Int)) (> v x)))(assert (> y 0))(check-sat)"


class Last(Random):
    """Draws the last of what there is."""

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        return seq[-1]


def flat(text: str) -> Script:
    script = at_last_check(read_script(text))
    assert script is not None
    return script


def printing(text: str, verdict: Callable[[str], str], ending: Ending = FINISHED) -> FakeLab:
    """A solver that prints a text for a request, and answers scripts with a check."""

    def replies(script: str) -> Reply:
        if script.endswith("(check-sat)\n"):
            return verdict(script)
        return Answer((), ending, stdout=f"{text}\n")

    return liars.lab_of(solver=replies)


def asked(lab: FakeLab, word: str) -> bool:
    return any(word in script for _solver, script in lab.asked)


@pytest.mark.parametrize(
    ("text", "whole", "words"),
    [
        (ONE, SAT, {"simplify"}),
        (ONE, UNSAT, {"simplify"}),
        (TWO, SAT, {"simplify", "get-abduct"}),
        (TWO, UNSAT, {"simplify", "get-interpolant"}),
        (TWO, Verdict.UNKNOWN, {"simplify"}),
        (NAMED, SAT, {"simplify"}),
        (NAMED, UNSAT, {"simplify"}),
        (QUANTIFIED, UNSAT, {"simplify", "get-qe", "get-interpolant"}),
        (QUANTIFIED, SAT, {"simplify", "get-qe", "get-abduct"}),
    ],
)
def test_what_a_script_lets_one_ask_for(text: str, whole: Verdict, words: set[str]) -> None:
    lab = printing("", lambda _script: "unknown")
    for number in range(30):
        assert broken(flat(text), whole, "solver", lab, Random(number)) is None
    every = ("simplify", "get-qe", "get-interpolant", "get-abduct")
    assert {word for word in every if asked(lab, f"({word} ")} == words


def simplified(text: str, verdict: str, whole: Verdict = SAT, ending: Ending = FINISHED) -> Broken | None:
    return broken(flat(ONE), whole, "solver", printing(text, lambda _script: verdict, ending), Last())


def test_a_simplified_assertion_is_equivalent() -> None:
    found = simplified("(< x 0)", "unsat")
    assert found is not None
    assert found[:2] == ("simplify", "unsat with (< x 0) in place of (> x 0) (simplify)")
    assert found.request is not None
    assert found.request.script.endswith("(simplify (> x 0))\n")
    assert simplified("(< x 0)", "sat", UNSAT) is not None
    assert simplified("(< x 0)", "sat") is None
    assert simplified("(< x 0)", "unknown") is None
    assert simplified("(> x 0)", "unsat") is None  # nothing has changed, and nothing is asked


def test_only_the_assertion_in_question_is_replaced() -> None:
    lab = printing("(> y 5)", lambda _script: "unknown")
    for number in range(10):
        broken(flat(TWO), Verdict.UNKNOWN, "solver", lab, Random(number))
    asserted = {tuple(script.split("(assert ")[1:]) for _solver, script in lab.asked if "(> y 5)" in script}
    left = {("(> y 5))\n", "(< x z))\n(check-sat)\n"), ("(> x y))\n", "(> y 5))\n(check-sat)\n")}
    assert asserted == left


@pytest.mark.parametrize("text", ["", '(error "no")', "(< x 0)\n(< x 1)"])
def test_what_is_not_one_term_is_not_asked_about(text: str) -> None:
    assert simplified(text, "unsat") is None


def test_a_solver_that_does_not_finish_has_printed_nothing() -> None:
    assert simplified("(< x 0)", "unsat", ending=Ending(EndingKind.TIMED_OUT)) is None


def test_quantifiers_are_eliminated_from_an_equivalent_formula() -> None:
    def of(printed: str, verdict: str) -> Broken | None:
        lab = printing(printed, lambda _script: verdict)
        found = broken(flat(QUANTIFIED.replace("(assert (> y 0))", "")), SAT, "solver", lab, Last())
        (request, *_checks) = [script for _solver, script in lab.asked]
        assert "(assert" not in request
        assert request.endswith("(get-qe (exists ((v Int)) (> v x)))\n")
        return found

    found = of("false", "unsat")
    assert found is not None
    assert found[0] == "quantifier elimination"
    assert "unsat with false in place of (exists" in found[1]
    assert of("true", "sat") is None
    assert of("", "unsat") is None


def interpolated(term: str, verdict: Callable[[str], str]) -> Broken | None:
    return broken(flat(TWO), UNSAT, "solver", printing(f"(define-fun I () Bool {term})", verdict), Last())


def test_an_interpolant_follows_from_the_first_part_and_refutes_the_second() -> None:
    def first(script: str) -> str:
        return "sat" if "(assert (> x y))" in script else "unsat"

    def second(script: str) -> str:
        return "sat" if "(assert (< x z))" in script else "unsat"

    for verdict, why in (
        (first, "the first part does not imply it"),
        (second, "it is satisfiable with the second part"),
    ):
        found = interpolated("(> x 3)", verdict)
        assert found is not None
        assert found[:2] == ("interpolant", f"(> x 3) is not an interpolant: {why}")
    assert interpolated("(> x 3)", lambda _script: "unsat") is None
    assert interpolated("(> x 3)", lambda _script: "unknown") is None


@pytest.mark.parametrize(
    ("term", "foreign"), [("(> x y)", "y"), ("(> x z)", "z"), ("(> z y)", "y"), ("(= x x)", "")]
)
def test_an_interpolant_has_common_symbols_only(term: str, foreign: str) -> None:
    found = interpolated(term, lambda _script: "unsat")
    assert (found is not None) is bool(foreign)
    if found is not None:
        assert found[1] == f"its interpolant {term} has a symbol that is not common: {foreign}"


def test_the_parts_of_an_interpolation_are_all_assertions() -> None:
    """The first ones are asserted, the others are what is to be refuted; neither part is empty."""
    text = f"{DECLARED}(assert (> x 0))(assert (> y 0))(assert (< (+ x y) 0))(check-sat)"
    lab = printing("", lambda _script: "unknown")
    for number in range(20):
        broken(flat(text), UNSAT, "solver", lab, Random(number))
    parts = set()
    for script in {script for _solver, script in lab.asked if "get-interpolant" in script}:
        asserted, _, goal = script.partition("(get-interpolant I (not (and true ")
        assert asserted.startswith("(set-option :produce-interpolants true)")
        parts.add(
            (asserted.count("(assert"), [f in goal for f in ("(> x 0)", "(> y 0)", "(+ x y)")].count(True))
        )
    assert parts == {(1, 2), (2, 1)}


def abduced(verdict: Callable[[str], str], text: str = "(define-fun C () Bool (= y 7))") -> Broken | None:
    return broken(flat(TWO), SAT, "solver", printing(text, verdict), Last())


def test_an_abduct_is_consistent_and_implies_the_goal() -> None:
    def inconsistent(script: str) -> str:
        return "sat" if "(not (< x z))" in script else "unsat"

    def useless(_script: str) -> str:
        return "sat"

    def right(script: str) -> str:
        return "unsat" if "(not (< x z))" in script else "sat"

    for verdict, why in (
        (inconsistent, "it contradicts what is asserted"), (useless, "the goal does not follow"),
    ):  # fmt: skip
        found = abduced(verdict)
        assert found is not None
        assert found[:2] == ("abduct", f"(= y 7) is not an abduct of (< x z): {why}")
        assert found.request is not None
        assert "(get-abduct C (< x z))" in found.request.script
    assert abduced(right) is None
    assert abduced(lambda _script: "unknown") is None
    assert abduced(useless, "(define-fun D () Bool (= y 7))") is None
    with pytest.raises(ScriptError, match="frob"):  # the law oracle asks no more then
        abduced(useless, "(define-fun C () Bool (frob y))")


def test_of_the_assertions_all_but_the_goal_stay() -> None:
    lab = printing("(define-fun C () Bool (= y 7))", lambda _script: "unknown")
    broken(flat(TWO), SAT, "solver", lab, Last())
    (request, first, second) = [script for _solver, script in lab.asked]
    assert "(set-option :produce-abducts true)" in request
    for script in (request, first, second):
        assert "(assert (> x y))" in script
        assert "(assert (< x z))" not in script


RECURSIVE = """(declare-const x Int)(declare-const y Int)
(define-fun-rec f ((n Int)) Int (ite (= n 0) x (f (- n 1))))(define-fun g () Int y)
(assert (= (f 3) 1))(assert (distinct (f 4) g))(check-sat)"""


TOGETHER = """(declare-const x Int)(declare-const y Int)
(define-funs-rec ((f ((n Int)) Int) (g ((n Int)) Int)) ((ite (= n 0) x (g (- n 1))) (+ y (f n))))
(assert (= (f 3) 1))(assert (distinct (f 4) 2))(check-sat)"""


@pytest.mark.parametrize("text", [RECURSIVE, TOGETHER])
def test_symbols_of_recursive_definitions_are_common(text: str) -> None:
    lab = printing("(define-fun I () Bool (> x y))", lambda _script: "unsat")
    assert broken(flat(text), UNSAT, "solver", lab, Last()) is None
