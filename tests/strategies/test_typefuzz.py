"""The examples of the papers are within reach."""

from __future__ import annotations

from itertools import islice
from random import Random

from tests.strategies.drawn import draw

from falsum.smtlib import print_script, read_script
from falsum.strategies import BY_NAME, Seed
from falsum.strategies.typefuzz import TypeFuzz

FIGURE_2A = """(declare-fun x () String)
(assert (> (- (str.to_int (str.++ x x))) 0))
(check-sat)
"""
FIGURE_2D = """(declare-fun x () String)
(assert (> (- (str.to_int (str.++ (str.from_int 0) x))) 0))
(check-sat)
"""
FIGURE_3A = """(declare-fun x () String)
(declare-fun y () String)
(assert (= (str.replace x "B" (str.++ "B" "B")) (str.++ y "B")))
(check-sat)
"""
FIGURE_3B = """(declare-fun x () String)
(declare-fun y () String)
(assert (= (str.replace (str.replace x "B" (str.++ "B" "B")) "B" (str.++ y "B")) (str.++ y "B")))
(check-sat)
"""


def within_reach(seed: str, wanted: str, tries: int) -> bool:
    target = print_script(read_script(wanted))
    made = TypeFuzz(chain=1).mutants([Seed("figure", seed)], Random(0), None)
    return any(mutant.text == target for mutant in islice(made, tries))


def test_typefuzz_figure_2() -> None:
    assert within_reach(FIGURE_2A, FIGURE_2D, 20_000)


def test_typefuzz_figure_3() -> None:
    assert within_reach(FIGURE_3A, FIGURE_3B, 60_000)


def test_opfuzz_changes_operators_only() -> None:
    seed = Seed("figure", FIGURE_3A)
    for mutant in draw(BY_NAME["opfuzz"], [seed], 0, 200):
        assert mutant.text.count("(") == FIGURE_3A.count("(")


def test_linear_logic_stays_linear() -> None:
    seed = Seed(
        "lia",
        "(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)"
        "(assert (let ((k 3)) (> (* k x) (+ y 2))))(check-sat)",
    )
    for name in ("typefuzz", "opfuzz", "fuzzchick"):
        for mutant in draw(BY_NAME[name], [seed], 0, 300):
            assert "(* x y)" not in mutant.text
            assert "(* x x)" not in mutant.text
            assert "(let ((k 3))" in mutant.text or "(* k" not in mutant.text


def test_difference_logic_is_widened() -> None:
    text = "(set-logic QF_IDL)(declare-fun x () Int)(assert (< (- x x) 3))(check-sat)"
    mutant = next(iter(BY_NAME["opfuzz"].mutants([Seed("idl", text)], Random(0), None)))
    assert "(set-logic QF_LIA)" in mutant.text


def test_storm_figure_2() -> None:
    """The seed says a and b; an instance says the same through not (and (not b) (not a))."""
    text = "(declare-fun a () Bool)(declare-fun b () Bool)(assert a)(assert b)(check-sat)"
    made = BY_NAME["storm"].mutants([Seed("figure", text)], Random(0), None)
    wanted = "(assert (not (and (not b) (not a))))"
    found = next((m for m in islice(made, 5000) if wanted in m.text), None)
    assert found is not None
    assert found.claim is not None
    assert set(found.claim.verdicts) == {"sat"}
