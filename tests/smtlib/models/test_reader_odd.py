"""Models with oddities that solvers have printed: what cannot be understood is never held against them."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model


def test_choices_at_open_points_are_kept_apart_by_sort() -> None:
    script = read_script("""
        (declare-const s (Seq (Seq Int)))
        (assert (= (seq.len (seq.nth s 0)) 1))
        (assert (= (seq.nth (seq.nth s 0) 0) 2))
        (assert (= (seq.nth (seq.nth s 0) 1) 3))""")
    model = """(
        (define-fun s () (Seq (Seq Int)) (as seq.empty (Seq (Seq Int))))
        (define-fun seq.nth_u ((x!0 (Seq (Seq Int))) (x!1 Int)) (Seq Int) (seq.unit 2))
        (define-fun seq.nth_u ((x!0 (Seq Int)) (x!1 Int)) Int 3))"""
    assert list(truths(script, read_model(model, script))) == [True, True, True]


def test_elements_of_int_are_not_understood() -> None:
    script = read_script("(declare-fun f (Int) Int)(declare-const x Int)(assert (> (f 1) 0))(assert (= x 1))")
    model = """(
        (declare-fun Int!val!0 () Int)
        (forall ((x Int)) (= x Int!val!0))
        (define-fun x () Int 1)
        (define-fun f ((y Int)) Int Int!val!0))"""
    first, second = truths(script, read_model(model, script))
    assert not isinstance(first, bool)
    assert second is True


def test_what_fails_only_for_want_of_elements_is_not_held_against_cvc5() -> None:
    script = read_script("""
        (declare-sort U 0)(declare-const a U)(declare-const b U)
        (assert (exists ((x U)) (distinct x a)))
        (assert (forall ((x U)) (= x a)))
        (assert (distinct a b))""")
    model = """(
; cardinality of U is 1
; rep: (as @U_0 U)
(define-fun a () U (as @U_0 U))
(define-fun b () U (as @U_0 U))
)"""
    exists, forall, distinct = truths(script, read_model(model, script))
    assert not isinstance(exists, bool)
    assert forall is True, "with that element alone it holds"
    assert distinct is False


@pytest.mark.parametrize(
    ("listed", "is_universe"),
    [
        ("; rep: (as @U_0 U)\n; rep: (as @U_1 U)\n", True),
        ("(declare-fun @U_0 () U)\n(declare-fun @U_1 () U)\n", True),
        ("(declare-sort U 0)\n(declare-fun @U_0 () U)\n(declare-fun @U_1 () U)\n", True),
        ("; rep: (as @U_0 U)\n; rep: (as @U_1 U)\n(declare-fun @U_0 () U)\n(declare-fun @U_1 () U)\n", True),
        ("", False),
        ("; rep: (as @U_0 U)\n", False),
        ("(declare-sort U 0)\n", False),
        ("(declare-fun @U_0 () U)\n(declare-fun @V_0 () V)\n", False),
        ("; rep: (as @U_0 U)\n; rep: (as @U_1 U)\n; rep: (as @U_2 U)\n", False),
    ],
)
def test_a_list_of_elements_that_is_not_whole_is_no_universe(listed: str, *, is_universe: bool) -> None:
    script = read_script("""
        (declare-sort U 0)(declare-sort V 0)(declare-const a U)
        (assert (forall ((x U)) (= x a)))(assert (exists ((x U)) (distinct x a)))""")
    model = f"(\n; cardinality of U is 2\n{listed}(define-fun a () U (as @U_0 U))\n)"
    read = read_model(model, script)
    assert bool(read.universes) is is_universe
    same, other = truths(script, read)
    assert same is not True
    assert other is True if is_universe else other is not False
