"""Solutions of synthesis problems: right ones, wrong ones, and what nobody can say."""

from __future__ import annotations

from functools import partial

import pytest
from tests.labs import live_lab

from falsum.defects.evidence import synthesis
from falsum.smtlib import Script, print_term, read_script
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.request import Request

MAXIMUM = read_script("""(set-logic LIA)(set-option :sygus-out status)
(synth-fun best ((x Int) (y Int)) Int ((S Int) (B Bool)) ((S Int (x y (ite B S S))) (B Bool ((<= S S)))))
(declare-var x Int)(declare-var y Int)
(constraint (>= (best x y) x))(constraint (>= (best x y) y))
(constraint (or (= x (best x y)) (= y (best x y))))
(check-synth)(constraint false)(check-synth)""")
RIGHT = "(\n(define-fun best ((x Int) (y Int)) Int (ite (<= y x) x y))\n)"
WRONG = "(\n(define-fun best ((x Int) (y Int)) Int (ite (<= y x) y x))\n)"
COUNTER = read_script("""(set-logic LIA)(synth-inv inv ((x Int)))
(define-fun pre ((x Int)) Bool (= x 0))
(define-fun step ((x Int) (y Int)) Bool (and (< x 10) (= y (+ x 1))))
(define-fun post ((x Int)) Bool (<= x 10))
(inv-constraint inv pre step post)(check-synth)""")
BITS = read_script("""(set-logic BV)(synth-fun f ((x (_ BitVec 4))) (_ BitVec 4))(declare-var x (_ BitVec 4))
(assume (distinct x #x0))(constraint (= (bvadd (f x) #x1) x))(check-synth)""")


def test_what_asks_for_synthesis() -> None:
    assert synthesis.asks_for_synthesis(MAXIMUM)
    assert not synthesis.asks_for_synthesis(read_script("(synth-fun f () Int)(check-sat)"))


def test_the_problem_is_what_stands_before_the_first_check() -> None:
    text = synthesis.problem_text(MAXIMUM)
    assert text.count("constraint") == 3
    assert text.count("check-synth") == 1
    assert "set-option" not in text
    assert "(S Int (x y (ite B S S)))" in text


@pytest.mark.parametrize(
    ("text", "solution"),
    [
        (f"{RIGHT}\n", RIGHT),
        ("infeasible\n", "infeasible"),
        ("fail\n", None),
        ("unknown\n", None),
        ('(error "no solution")\n', None),
        ("", None),
    ],
)
def test_solutions_are_found_in_the_output(text: str, solution: str | None) -> None:
    assert synthesis.solution_of(Answer((), FINISHED, stdout=text)) == solution


@pytest.mark.parametrize(
    ("script", "solution", "holds", "reason"),
    [
        (MAXIMUM, RIGHT, True, "cvc5, z3 answer unsat"),
        (MAXIMUM, WRONG, False, "does not hold for (define-fun x"),
        (COUNTER, "((define-fun inv ((x Int)) Bool (<= 0 x 10)))", True, "answer unsat"),
        (COUNTER, "((define-fun inv ((x Int)) Bool (<= 0 x 9)))", False, "does not hold"),
        (COUNTER, "((define-fun inv ((x Int)) Bool (<= 0 x 11)))", False, "does not hold"),
        (COUNTER, "((define-fun inv ((x Int)) Bool (<= 1 x 10)))", False, "does not hold"),
        (BITS, "((define-fun f ((y (_ BitVec 4))) (_ BitVec 4) (bvsub y #x1)))", True, "16 assignments"),
        (BITS, "((define-fun f ((y (_ BitVec 4))) (_ BitVec 4) y))", False, "does not hold"),
        (MAXIMUM, "((define-fun other () Int 1))", None, "does not define best"),
        (MAXIMUM, "((define-fun best ((x Int)) Int x))", None, "does not define best"),
        (MAXIMUM, "((define-fun best", None, "cannot be read"),
    ],
)
def test_solutions_are_checked(script: Script, solution: str, holds: bool | None, reason: str) -> None:
    with live_lab("cvc5", "z3", seconds=20) as lab:
        found = synthesis.assess_solution(script, solution, "cvc5", lab)
    assert found.holds is holds, found
    assert reason in found.reason


CALLS = read_script("""(set-logic LIA)(define-fun twice ((a Int)) Int (+ a a))
(define-fun-rec half ((a Int)) Int (ite (< a 2) 0 (+ 1 (half (- a 2)))))
(synth-fun f ((x Int)) Int)(declare-var x Int)(constraint (= (f x) (* 2 x)))(check-synth)""")


@pytest.mark.parametrize(
    ("solution", "holds"),
    [
        ("((define-fun f ((x Int)) Int (twice x)))", True),
        ("((define-fun f ((x Int)) Int (twice (twice x))))", False),
        ("((define-fun g ((x Int)) Int (+ x x))(define-fun f ((x Int)) Int (g x)))", True),
        ("((define-fun g ((x Int)) Int (+ x 1))(define-fun f ((x Int)) Int (g x)))", False),
        ("((define-fun f ((x Int)) Int (half x)))", False),
    ],
)
def test_solutions_may_call_functions_of_the_problem_and_of_their_own(solution: str, holds: bool) -> None:
    with live_lab("z3", seconds=20) as lab:
        assert synthesis.assess_solution(CALLS, solution, "cvc5", lab).holds is holds


TWO = read_script("""(synth-fun f ((x Int)) Int ((S Int)) ((S Int (x 1 (+ S S)))))
(synth-fun g ((x Int)) Int)(synth-fun h ((x Int)) Int ((S Int)) ((S Int (x -1 (Constant Int)))))
(declare-var x Int)(constraint (= (+ (f x) (h x)) (g x)))(check-synth)""")


@pytest.mark.parametrize(
    ("f", "g", "h", "holds", "reason"),
    [
        ("(+ x 1)", "(* x x)", "(- 7)", True, "f: S gives it"),
        ("(+ x 2)", "x", "x", False, "f: no rule of the grammar gives 2"),
        ("(+ x x 1)", "x", "x", None, "f: it follows the grammar only if"),
        ("(+ x x 1)", "x", "(+ x 1)", False, "h: no rule of the grammar gives (+ x 1)"),
        ("x", "x", "y", None, "does not define h"),
    ],
)
def test_every_grammar_counts(f: str, g: str, h: str, holds: bool | None, reason: str) -> None:
    bodies = {"f": f, "g": g, "h": h}
    solution = "".join(f"(define-fun {name} ((x Int)) Int {body})" for name, body in bodies.items())
    found = synthesis.assess_grammar(TWO, f"({solution})")
    assert found is not None
    assert found.holds is holds, found
    assert reason in found.reason


def test_parameters_may_have_other_names() -> None:
    swapped = "((define-fun best ((y Int) (x Int)) Int (ite (<= y x) x y)))"
    found = synthesis.assess_grammar(MAXIMUM, swapped)
    assert found is not None
    assert found.holds is True


def test_what_has_no_grammar_or_one_that_cannot_be_read() -> None:
    assert synthesis.assess_grammar(BITS, "((define-fun f ((x (_ BitVec 4))) (_ BitVec 4) x))") is None
    old = read_script("(synth-fun f ((x Int)) Int ((S Int (x 1))))(constraint (= (f 1) 1))(check-synth)")
    found = synthesis.assess_grammar(old, "((define-fun f ((x Int)) Int (* x x)))")
    assert found is not None
    assert found.holds is None
    assert "the grammar cannot be read" in found.reason


def test_assumptions_exempt_values() -> None:
    """At zero, which is excluded, the function may be anything."""
    negated = synthesis.counterexamples(BITS)
    assert negated is not None
    assert [print_term(term) for term in negated.assertions] == [
        "(distinct x #x0)",
        "(not (= (bvadd (f x) #x1) x))",
    ]


class NotedLab(FakeLab):
    """Notes whether requests go to fresh processes."""

    def ask(self, request: Request) -> Answer:
        assert request.cold
        return super().ask(request)


@pytest.mark.parametrize(
    ("verdicts", "holds", "reason"),
    [
        ({"cvc5": "unsat"}, None, "only the product itself answers unsat"),
        ({"cvc5": "unsat", "z3": "unsat"}, True, "cvc5, z3 answer unsat"),
        ({"cvc5": "unsat", "z3": "unknown"}, None, "only the product itself answers unsat"),
        ({"cvc5": "unsat", "z3": "sat"}, None, "only the product itself answers unsat"),
        ({"cvc5": "unknown"}, None, "no solver decides"),
    ],
)
def test_only_others_confirm_and_only_verified_counterexamples_refute(
    verdicts: dict[str, str], holds: bool | None, reason: str
) -> None:
    lab = NotedLab({name: partial(lambda said, _text: said, said) for name, said in verdicts.items()})
    found = synthesis.assess_solution(MAXIMUM, RIGHT, "cvc5", lab)
    assert found.holds is holds
    assert found.reason == f"{reason} to the negated constraints".replace("decides to", "decides")


def test_constraints_that_are_not_understood_say_nothing() -> None:
    for text in ("(inv-constraint f g h i)", "(constraint (= (f 1) 1))(unheard-of 1)", ""):
        script = read_script(f"(synth-fun f ((x Int)) Int){text}(check-synth)")
        assert synthesis.counterexamples(script) is None
        found = synthesis.assess_solution(script, "((define-fun f ((x Int)) Int x))", "cvc5", FakeLab({}))
        assert (found.holds, found.reason) == (None, "falsum cannot read the constraints")


def test_the_library_solves_problems_that_it_does_not_see_to_be_such() -> None:
    with live_lab("cvc5", "z3", seconds=30) as lab:
        for script in (MAXIMUM, COUNTER, BITS):
            solution = synthesis.solution_of(lab.ask(Request("cvc5", synthesis.problem_text(script))))
            assert solution is not None
            assert synthesis.assess_solution(script, solution, "cvc5", lab).holds is True
            follows = synthesis.assess_grammar(script, solution)
            assert follows is None or follows.holds is True
