"""Points the standard leaves open: functions of their arguments, fixed within a model."""

from __future__ import annotations

import pytest
from tests.smtlib.saying import says

MAYBE = "(declare-datatypes ((Maybe 0)) (((nothing) (just (value Int) (flag Bool)))))"
SAID: dict[str, bool | None] = {
    # Congruence: the same arguments give the same value, whatever they are written as.
    "(= (div 7 0) (div (+ 3 4) 0))": True,
    "(distinct (div 7 0) (div (+ 3 4) 0))": False,
    "(= (+ (div 7 0) 1) (+ (div 7 0) 1))": True,
    "(= (div 7 0) (div 8 0))": None,
    "(= (div 7 0) (mod 7 0))": None,
    "(= (+ (div 7 0) 1) (div 7 0))": None,
    "(= (/ 1.0 0.0) (/ 2.0 0.0))": None,
    "(= (= (/ 1.0 0.0) 2.0) (= 2.0 (/ 1.0 0.0)))": True,
    "(= (and (= (div 1 0) 2) true) (= (div 1 0) 2))": True,
    "(= (and (= (div 1 0) 2) (= (div 2 0) 2)) (= (div 1 0) 2))": None,
    "(= (ite (= (div 1 0) 2) false true) (= (div 1 0) 2))": None,
    "(= (not (= (div 1 0) 2)) (= (div 1 0) 2))": None,
    "(= (=> (= (div 1 0) 2) false) (=> true (= (div 1 0) 2)))": None,
    "(= (value nothing) (value nothing))": True,
    "(= (value nothing) 0)": None,
    "(= (value (just 3 true)) 3)": True,
    "(= ((_ fp.to_ubv 4) RNE (_ NaN 5 11)) ((_ fp.to_ubv 4) RNE (_ NaN 5 11)))": True,
    "(= ((_ fp.to_ubv 4) RNE (_ NaN 5 11)) ((_ fp.to_ubv 4) RNE (_ NaN 3 5)))": None,
    "(= ((_ fp.to_ubv 4) RNE (_ NaN 5 11)) ((_ fp.to_ubv 4) RTZ (_ NaN 5 11)))": None,
    # Every choice agrees.
    "(fp.isZero (fp.min (_ +zero 5 11) (_ -zero 5 11)))": True,
    "(fp.eq (fp.min (_ +zero 5 11) (_ -zero 5 11)) (fp.max (_ +zero 5 11) (_ -zero 5 11)))": True,
    "(= (fp.min (_ +zero 5 11) (_ -zero 5 11)) (fp.min (_ -zero 5 11) (_ +zero 5 11)))": None,
    "(or (flag nothing) (not (flag nothing)))": True,
    "(and (flag nothing) (not (flag nothing)))": False,
    "(= ((_ fp.to_ubv 1) RNE (_ NaN 5 11)) ((_ fp.to_sbv 1) RNE (_ NaN 5 11)))": None,
    "(bvule ((_ fp.to_ubv 2) RNE (_ NaN 5 11)) #b11)": True,
}


@pytest.mark.parametrize("formula", SAID)
def test_said(formula: str) -> None:
    answer = says(formula, declarations=MAYBE)
    assert (answer if isinstance(answer, bool) else None) is SAID[formula]


def test_the_model_chooses() -> None:
    model = """((define-fun div0 ((x Int) (y Int)) Int (ite (= x 7) 3 4))
                (define-fun mod0 ((x Int)) Int (* 2 x)) (define-fun /0 ((x Real) (y Real)) Real 1.5))"""
    assert says("(= (div 7 0) 3)", model) is True
    assert says("(= (div 8 0) 4)", model) is True
    assert says("(= (mod 8 0) 16)", model) is True
    assert says("(= (/ 8.0 0.0) 1.5)", model) is True
    # Left-associative: (8 / 0) / 3.
    assert says("(= (/ 8.0 0.0 3.0) 0.5)", model) is True
    assert says("(= (div 70 10 0) 3)", model) is True


def test_a_function_of_an_open_point_is_open() -> None:
    declared = "(declare-fun f (Int) Int)"
    model = "((define-fun f ((x Int)) Int (ite (= x 0) 1 2)))"
    assert says("(= (f (div 1 0)) (f (div 1 0)))", model, declared) is True
    assert isinstance(says("(= (f (div 1 0)) (f (div 2 0)))", model, declared), str)
