"""Sorts are replaced everywhere in a script: in declarations, binders, qualifiers, values and indices."""

from __future__ import annotations

from falsum.smtlib import print_script, read_script
from falsum.smtlib.maps.other_sorts import OtherSorts, sorts_of
from falsum.smtlib.sorts import BOOL, INT, REAL, Sort

EIGHT, FOUR = Sort("BitVec", (8,)), Sort("BitVec", (4,))
SCRIPT = read_script(
    """(declare-sort S 0)
(declare-fun f ((Array Int S)) (_ BitVec 8))
(assert (forall ((x (_ BitVec 8))) (= ((_ extract 7 0) x) #x0f)))
(assert (= ((as const (Array Int S)) (select ((as const (Array Int S)) (ite true (as y S) (as y S))) 0))
  ((as const (Array Int S)) (as y S))))
""".replace("(as y S)", "y").replace("(declare-fun f", "(declare-fun y () S)(declare-fun f")
)


def test_all_sorts_of_a_script_those_inside_others_too() -> None:
    array = Sort("Array", (), (INT, Sort("S")))
    assert {*sorts_of(SCRIPT)} == {Sort("S"), INT, BOOL, EIGHT, array}


def test_a_width_is_replaced_with_its_values_and_indices() -> None:
    other_sorts = OtherSorts({EIGHT: FOUR}).script(SCRIPT)
    assert other_sorts is not None
    text = print_script(other_sorts)
    assert "(forall ((x (_ BitVec 4))) (= ((_ extract 3 0) x) #xf))" in text
    assert "(declare-fun f ((Array Int S)) (_ BitVec 4))" in text


def test_a_declared_sort_that_is_replaced_is_not_declared() -> None:
    other_sorts = OtherSorts({Sort("S"): REAL}).script(SCRIPT)
    assert other_sorts is not None
    text = print_script(other_sorts)
    assert "declare-sort" not in text
    assert text.count("(Array Int Real)") == 4


def test_what_does_not_fit_is_no_script() -> None:
    assert OtherSorts({EIGHT: INT}).script(SCRIPT) is None
