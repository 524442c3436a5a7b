"""typefuzz applies what a seed declares, and regular expressions without arguments."""

from __future__ import annotations

from collections import Counter

from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.smtlib import read_script
from falsum.solvers.answer import EndingKind
from falsum.solvers.request import Request
from falsum.strategies import BY_NAME, Mutant, Seed
from falsum.strategies.growth import functions_of

LISTS = Seed(
    "lists",
    """(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun f (L Int) Int)
(declare-fun x () L)
(declare-fun n () Int)
(define-fun twice ((k Int)) Int (+ k k))
(assert (= (f x n) (hd x)))
(assert (forall ((f Int)) (distinct x (cons f nil))))
(check-sat)
""",
)
WORDS = Seed(
    "words",
    """(set-logic QF_S)(declare-fun x () String)
(assert (str.in_re x (re.* (str.to_re "ab"))))(check-sat)""",
)


def made_heads(mutants: list[Mutant]) -> Counter[str]:
    new = [mutant.lineage[-1].rpartition(" -> ")[2] for mutant in mutants]
    return Counter(text.removeprefix("(").split(" ")[0].rstrip(")") for text in new if "_ is" not in text)


def test_the_functions_of_a_seed() -> None:
    heads = [head.text for head in functions_of(read_script(LISTS.text))]
    assert sorted(heads) == sorted([*"nil cons hd tl f twice".split(), "(_ is nil)", "(_ is cons)"])


def test_functions_constructors_selectors_and_testers_are_applied() -> None:
    mutants = draw(BY_NAME["typefuzz"], [LISTS], 1, 500)
    heads = made_heads(mutants)
    assert {"cons", "nil", "hd", "tl", "f"} <= set(heads)
    assert any("((_ is cons) " in mutant.lineage[-1].rpartition(" -> ")[2] for mutant in mutants)
    assert heads["ite"] < 0.35 * len(mutants)
    with live_lab("z3", "cvc5", seconds=0.2) as lab:
        for mutant in mutants[::25]:
            for solver in lab.solvers:
                ending = lab.ask(Request(solver, mutant.text)).ending
                assert ending.kind is not EndingKind.REJECTED, f"{ending.detail}\n{mutant.text}"


def test_a_definition_is_not_used_before_it_is_there() -> None:
    definition = "(define-fun twice ((k Int)) Int (+ k k))\n"
    text = LISTS.text.replace(definition, "")
    text = text.replace("(check-sat)", f"{definition}(assert (> (twice n) 3))(check-sat)")
    for mutant in draw(BY_NAME["typefuzz"], [Seed("late", text)], 3, 400):
        assert read_script(mutant.text)  # an unknown symbol is an error of the reader


def test_regular_expressions_without_arguments_and_ranges_are_made() -> None:
    heads = made_heads(draw(BY_NAME["typefuzz"], [WORDS], 1, 800))
    wanted = "re.none re.all re.allchar re.range str.replace_re str.replace_re_all"
    assert set(wanted.split()) <= set(heads)
