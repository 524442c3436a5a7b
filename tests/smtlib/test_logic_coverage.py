"""Which scripts keep to which logics."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.logic_coverage import covers_script
from falsum.smtlib.logics import logic_of

INT = "(declare-const x Int)"
REAL = "(declare-const r Real)"


@pytest.mark.parametrize(
    ("text", "legal", "illegal"),
    [
        (
            f"{INT}(assert (> x 1))",
            "QF_LIA QF_NIA QF_UFLIA LIA ALL QF_AUFLIRA QF_ALL",
            "QF_LRA QF_BV QF_UF XYZ",
        ),
        (f"{INT}(assert (> (* x x) 1))", "QF_NIA NIA ALL", "QF_LIA LIA"),
        (f"{INT}(check-sat-assuming ((> (* x x) 1)))", "QF_NIA NIA ALL", "QF_LIA LIA"),
        (
            f"{REAL}(declare-fun f (Real) Real)(assert (> (f r) 1.0))",
            "QF_UFLRA UFNRA ALL",
            "QF_NRA NRA QF_LRA",
        ),
        ("(assert (forall ((y Int)) (> y 1)))", "LIA UFLIA ALL", "QF_LIA LRA BV QF_ALL"),
        ("(declare-sort S 0)(declare-const s S)(assert (= s s))", "QF_UF QF_AX ALL", "QF_LIA"),
        ("(declare-const a (Array Int Int))(assert (= a a))", "QF_ALIA QF_AUFLIA ALL", "QF_AX QF_LIA QF_ABV"),
        ("(declare-datatype D ((d)))(assert (= d d))", "QF_DT QF_UFDT ALL", "QF_UF QF_LIA"),
        ("(declare-const b (_ BitVec 4))(assert (bvult b b))", "QF_BV QF_ABV QF_BVFP ALL", "QF_UF QF_LIA"),
        ("(define-fun f ((x Int)) Int (* x x))(assert (= (f 1) 1))", "QF_NIA ALL", "QF_LIA"),
        ("(define-fun-rec f ((x Int)) Int (f x))(assert (= (f 1) 1))", "QF_UFLIA ALL", "QF_LIA"),
        (
            "(define-funs-rec ((f ((x Int)) Int)) ((* x x)))(assert (= (f 1) 1))",
            "QF_UFNIA ALL",
            "QF_UFLIA QF_NIA",
        ),
        ("(declare-const s String)(assert (= (str.len s) 1))", "QF_S QF_SLIA ALL", "QF_LIA"),
        (
            "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (= f g))",
            "HO_ALL HO_QF_UFLIA ALL",
            "QF_UFLIA UFLIA QF_AUFLIRA",
        ),
        (
            "(declare-fun f (Int) Int)(assert (= (f 1) ((lambda ((x Int)) 2) 1)))",
            "HO_ALL ALL",
            "QF_UFLIA UFLIA QF_AUFLIRA",
        ),
        ("(declare-const b Bool)(assert b)", "QF_UF QF_LIA QF_BV ALL", "XYZ"),
    ],
)
def test_a_script_and_its_logics(text: str, legal: str, illegal: str) -> None:
    script = read_script(text)
    assert [name for name in legal.split() if not covers_script(logic_of(name), script)] == []
    assert [name for name in illegal.split() if covers_script(logic_of(name), script)] == []
