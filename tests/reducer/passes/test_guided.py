"""Guided passes: by a core, by a model, by the seed; each edit is smaller and does what the pass is for."""

from __future__ import annotations

import pytest

from falsum.reducer import reduce
from falsum.reducer.apply import apply
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL, KeepCore, Pass, ReplaceByModel, UndoMutations
from falsum.smtlib import print_script, read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model

SCRIPT = """
    (declare-const x Int) (declare-const y Int) (declare-const p Bool) (declare-fun f (Int) Int)
    (declare-const v (_ BitVec 8)) (declare-const s String)
    (assert (< (+ x 1) (* y y)))
    (assert (! (or p (= (f x) (- 2))) :named claim))
    (assert (forall ((z Int)) (=> (= z x) (< z (+ z y)))))
    (assert (= (bvadd v #x01) (bvmul v v)))
    (assert (= s (str.++ "a" s "")))
    (check-sat)
"""
MODEL = """((define-fun x () Int 3) (define-fun y () Int 5) (define-fun p () Bool true)
    (define-fun f ((a Int)) Int (ite (= a 3) 7 0)) (define-fun v () (_ BitVec 8) #x10))"""


def made(one: Pass, text: str) -> list[str]:
    """What a pass makes of a script, one edit at a time; every result is smaller and reads back."""
    outline, measurer = Outline(read_script(text)), Measurer()
    before = measurer.measure(outline.script)
    found = []
    for edit in one.edits(outline):
        script = apply(outline, [edit])
        assert script is not None
        after = measurer.measure(script)
        assert after < before, edit
        assert print_script(read_script(after.text)) == after.text
        found.append(" ".join(after.text.split()))
    return found


def test_what_is_outside_the_core_goes_at_once() -> None:
    (result,) = made(KeepCore(lambda _: "(falsum!1 claim)"), SCRIPT)
    assert result.count("assert") == 2
    assert ":named claim" in result
    assert "forall" not in result


@pytest.mark.parametrize("core", [None, "()", "(falsum!1 claim falsum!3 falsum!4 falsum!5)"])
def test_a_core_that_says_nothing_changes_nothing(core: str | None) -> None:
    assert made(KeepCore(lambda _: core), SCRIPT) == []


def test_scripts_with_levels_have_no_core() -> None:
    text = "(declare-const p Bool)(push 1)(assert p)(pop 1)(assert p)(check-sat)"
    assert made(KeepCore(lambda _: "(falsum!2)"), text) == []


def test_the_model_stays_a_model() -> None:
    results = made(ReplaceByModel(MODEL), SCRIPT)
    assert any("(< 4 (* y y))" in result for result in results)
    assert any("(< (+ x 1) 25)" in result for result in results)
    assert any("(= #x11 (bvmul v v))" in result for result in results)
    script = read_script(SCRIPT)
    before = truths(script, read_model(MODEL, script))
    assert before[0] is True
    for result in results:
        smaller = read_script(result)
        after = truths(smaller, read_model(MODEL, smaller))
        for old, new in zip(before, after, strict=True):
            assert old is new or not isinstance(old, bool)


def test_what_has_no_value_stays() -> None:
    """Bound variables have none; a model nobody can read gives none."""
    assert not any("forall ((z Int)) (=> (= 3" in result for result in made(ReplaceByModel(MODEL), SCRIPT))
    assert made(ReplaceByModel("((define-fun"), SCRIPT) == []


SEED = (
    "(declare-const x Int)(declare-const y Int)(assert (< x 1))(assert (forall ((z Int)) (= z x)))(check-sat)"
)


def test_a_mutation_is_undone() -> None:
    mutant = SEED.replace("(< x 1)", "(< (+ (* x y) 7) 1)").replace("(= z x)", "(= (- z) x)")
    one = UndoMutations(read_script(mutant), read_script(SEED))
    results = made(one, mutant)
    assert len(results) == 2
    assert any("(assert (< x 1))" in result and "(- z)" in result for result in results)
    assert any("(= z x)" in result and "(* x y)" in result for result in results)


def test_a_seed_that_is_larger_or_speaks_of_more_stays_away() -> None:
    larger = UndoMutations(read_script(SEED), read_script(SEED.replace("(< x 1)", "(< (+ x y) 1)")))
    assert larger.originals
    assert made(larger, SEED) == []
    mutant = "(declare-const x Int)(assert (< (+ (* x x) 7) 1))(check-sat)"
    other = "(declare-const q Int)(assert (< q 1))(check-sat)"
    assert made(UndoMutations(read_script(mutant), read_script(other)), mutant) == []
    assert UndoMutations(read_script(mutant), read_script(SEED)).originals == {}


def test_they_save_tests_and_the_result_is_the_same() -> None:
    """A core of one in forty assertions: one test instead of a bisection."""
    many = "".join(f"(assert (> (+ x {n}) (* y {n})))" for n in range(40))
    script = read_script(
        f"(declare-const x Int)(declare-const y Int){many}(assert (= (div x 3) y))(check-sat)"
    )

    def keeps(text: str) -> bool:
        return "div" in text

    blind = reduce(script, keeps)
    led = reduce(script, keeps, passes=(KeepCore(lambda text: f"(falsum!{text.count('(assert')})"), *ALL))
    assert led.text == blind.text
    assert led.passes[0].name == "keep-core"
    assert led.passes[0].steps == 1
    assert led.is_confirmed
