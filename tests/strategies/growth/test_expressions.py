"""ExpressionPool: what may stand where."""

from __future__ import annotations

from random import Random

from falsum.smtlib import print_term, read_script
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.sorts import BOOL, INT
from falsum.strategies.growth import ExpressionPool

TEXT = """
(set-logic LIA)
(declare-fun a () Int)
(assert (exists ((x Int)) (= x (+ a 1))))
(assert (forall ((a Int)) (< a 3)))
(define-fun f () Int (* 2 a))
(assert (< f 5))
(check-sat)
"""


def pool_of(text: str) -> tuple[Layout, ExpressionPool]:
    script = read_script(text)
    layout = Layout.of(script)
    return layout, ExpressionPool(layout, script)


def place_of(layout: Layout, text: str) -> int:
    (number,) = [n for n, place in enumerate(layout.places) if print_term(place.term) == text]
    return number


def fitting(place: str) -> set[str]:
    layout, pool = pool_of(TEXT)
    scope = pool.scope_at(layout, place_of(layout, place))
    return {print_term(term) for term in pool.by_sort[INT] if pool.fits(term, scope)}


def test_only_variables_in_scope_fit() -> None:
    assert fitting("(= x (+ a 1))") == {"x", "(+ a 1)", "(* 2 a)", "a", "1", "2", "3", "5"}


def test_a_constant_does_not_fit_where_its_name_is_bound() -> None:
    assert fitting("(< a 3)") == {"a", "1", "2", "3", "5"}


def test_a_defined_function_fits_after_its_definition_only() -> None:
    assert "f" in fitting("(< f 5)")
    assert "f" not in fitting("(= x (+ a 1))")


def test_factors_of_a_linear_logic_stay() -> None:
    layout, pool = pool_of(TEXT)
    product = place_of(layout, "(* 2 a)")
    assert pool.may_replace(layout, product)
    assert not any(pool.may_replace(layout, product + inside) for inside in (1, 2))


def test_a_pick_is_another_expression() -> None:
    layout, pool = pool_of("(declare-fun p () Bool)(assert p)(assert (not p))(check-sat)")
    term = layout.places[0].term
    scope = pool.scope_at(layout, 0)
    assert {print_term(pool.pick(BOOL, scope, term, Random(n)) or term) for n in range(9)} == {"(not p)"}
    assert pool.pick(INT, scope, None, Random(1)) is None
