"""Operators that may replace others: of the same rank, allowed by the logic, where any term may stand."""

from __future__ import annotations

from falsum.smtlib import read_script
from falsum.smtlib.logics import logic_of
from falsum.smtlib.printing.layout import Layout
from falsum.strategies.growth import operator_places


def alternatives(text: str) -> dict[str, set[str]]:
    script = read_script(text)
    layout = Layout.of(script)
    places = operator_places(layout, logic_of(script.logic), ())
    return {layout.text[place.start : place.end]: set(place.alternatives) for place in places}


def test_alternatives_have_the_same_rank() -> None:
    text = "(set-logic QF_BV)(declare-fun v () (_ BitVec 8))(assert (bvult v (bvadd v #x01)))(check-sat)"
    found = alternatives(text)
    assert {"bvule", "bvsgt", "=", "distinct"} <= found["bvult"]
    assert {"bvmul", "bvudiv", "bvxor"} <= found["bvadd"]
    assert "concat" not in found["bvadd"]


def test_quantifiers_change_their_kind() -> None:
    text = "(set-logic LIA)(declare-fun x () Int)(assert (forall ((y Int)) (< x y)))(check-sat)"
    assert alternatives(text)["forall"] == {"exists"}


def test_products_of_a_linear_logic_stay() -> None:
    linear = "(set-logic QF_LIA)(declare-fun x () Int)(assert (< (* 2 (+ x 1)) x))(check-sat)"
    assert "+" not in alternatives(linear)
    assert "-" in alternatives(linear.replace("LIA", "NIA"))["+"]
