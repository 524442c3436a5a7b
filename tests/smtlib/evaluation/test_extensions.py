# ruff: noqa: E501  (a formula stands on one line)
"""Bags, tables, nullables, functions on collections and transcendental functions, as ground formulas."""

from __future__ import annotations

import pytest
from tests.smtlib.saying import says

DECLARED = """
    (define-fun t () (Table Int Int) (bag.union_disjoint (bag (tuple 1 2) 2) (bag (tuple 1 3) 1) (bag (tuple 4 5) 3)))
    (define-fun none () (Table Int Int) (as bag.empty (Table Int Int)))
    (define-fun r () (Relation Int Int) (set.insert (tuple 1 2) (tuple 1 3) (set.singleton (tuple 4 5))))
    (define-fun add ((x (Tuple Int Int)) (y Int)) Int (+ y ((_ tuple.select 1) x)))
    (define-fun inc ((x Int)) Int (+ x 1))
    (define-fun s () (Seq Int) (seq.++ (seq.unit 1) (seq.unit 5)))
    (define-fun null () (Nullable Int) (as nullable.null (Nullable Int)))
"""
SAID: dict[str, bool | None] = {
    "(= (bag.count 1 (bag.union_max (bag 1 2) (bag 1 3))) 3)": True,
    "(= (bag 1 (- 2)) (as bag.empty (Bag Int)))": True,
    "(= (bag.card (bag.difference_subtract t (bag (tuple 4 5) 1))) 5)": True,
    "(= (bag.difference_remove t (bag (tuple 4 5) 1)) (bag.union_disjoint (bag (tuple 1 2) 2) (bag (tuple 1 3) 1)))": True,
    "(= (bag.choose (bag 3 2)) 3)": True,
    "(= (bag.choose t) (tuple 1 2))": None,
    "(= (bag.map (lambda ((x (Tuple Int Int))) ((_ tuple.select 0) x)) t) (bag.union_disjoint (bag 1 3) (bag 4 3)))": True,
    "(= (bag.filter (lambda ((x Int)) (> x 1)) (bag.union_disjoint (bag 1 2) (bag 2 3))) (bag 2 3))": True,
    "(= (bag.fold add 0 t) 22)": True,
    "(bag.some (lambda ((x Int)) (> x 1)) (bag 1 2))": False,
    "(bag.all (lambda ((x Int)) (> x 0)) (bag 1 2))": True,
    "(= (bag.count (tuple 1 2 1 3) ((_ table.join 0 0) t t)) 2)": True,
    "(= (bag.card (table.product t t)) 36)": True,
    "(= ((_ table.project 0) t) (bag.union_disjoint (bag (tuple 1) 3) (bag (tuple 4) 3)))": True,
    "(= (bag.card ((_ table.group 0) t)) 2)": True,
    "(= ((_ table.group 0) none) (bag none 1))": True,
    "(= ((_ table.aggr 0) add 0 t) (bag.union_disjoint (bag 7 1) (bag 15 1)))": True,
    "(= ((_ table.aggr 0) add 0 none) (bag 0 1))": True,
    "(= ((_ rel.aggr 0) add 0 r) (set.singleton 5))": True,
    "(= (set.card ((_ rel.group 0) r)) 2)": True,
    "(= (set.card ((_ rel.table_join 0 0) r r)) 5)": True,
    "(= ((_ table.group 0) t) (bag.partition (lambda ((x (Tuple Int Int)) (y (Tuple Int Int))) (= ((_ tuple.select 0) x) ((_ tuple.select 0) y))) t))": True,
    "(= (bag.card (bag.partition (lambda ((x Int) (y Int)) (< x y)) (bag 1 2))) 1)": None,
    "(= (set.map inc (set.insert 1 (set.singleton 2))) (set.insert 2 (set.singleton 3)))": True,
    "(= (set.filter (lambda ((x Int)) (> x 2)) (set.insert 1 2 3 (set.singleton 4))) (set.insert 3 (set.singleton 4)))": True,
    "(set.all (lambda ((x Int)) (> x 2)) (set.insert 1 (set.singleton 4)))": False,
    "(set.some (lambda ((x Int)) (> x 2)) (set.insert 1 (set.singleton 4)))": True,
    "(set.some (lambda ((x Int)) (or (= x 4) (= 0 (div x 0)))) (set.insert 1 (set.singleton 4)))": True,
    "(set.all (lambda ((x Int)) (or (= x 4) (= 0 (div x 0)))) (set.insert 1 (set.singleton 4)))": None,
    "(= (set.fold (lambda ((x Int) (y Int)) (+ x y)) 1 (set.insert 1 (set.singleton 4))) 6)": True,
    "(= (set.fold (lambda ((x Int) (y Int)) (- x y)) 0 (set.insert 1 (set.singleton 5))) 4)": None,
    "(= (seq.map inc s) (seq.++ (seq.unit 2) (seq.unit 6)))": True,
    "(= (seq.mapi (lambda ((i Int) (x Int)) (* i x)) 3 s) (seq.++ (seq.unit 3) (seq.unit 20)))": True,
    "(= (seq.foldl (lambda ((a Int) (x Int)) (- x a)) 0 s) 4)": True,
    "(= (seq.foldli (lambda ((i Int) (a Int) (x Int)) (+ a (* i x))) 1 0 s) 11)": True,
    "(= (seq.map ((as const (Array Int Bool)) true) s) (seq.++ (seq.unit true) (seq.unit true)))": True,
    "(= ((_ nullable.lift +) (nullable.some 1) (nullable.some 2)) (nullable.some 3))": True,
    "(= (nullable.lift inc null) null)": True,
    "(= (nullable.val (nullable.some 3)) 3)": True,
    "(= (nullable.val null) 3)": None,
    "(and (nullable.is_null null) (nullable.is_some (nullable.some 1)) (not (nullable.is_null (nullable.some 1))))": True,
    "(forall ((x (Nullable Bool))) (or (= x (as nullable.null (Nullable Bool))) (= x (nullable.some true)) (= x (nullable.some false))))": True,
    "(and (= (piand 3 5 6) 4) (= (piand 2 5 7) 1) (= (piand (- 1) 5 7) 0))": True,
    "(and (bvsmul_noovfl #x8 #x2) (not (bvsmul_noovfl #x7 #x2)) (not (bvsmul_noovfl #x8 #xf)))": True,
    "(bvsmul_noudfl #x8 #x2)": False,
    "(= (mkbv true false) #b01)": True,
    '(str.in_re "ba" (re.reverse (re.++ (str.to_re "a") (re.opt (str.to_re "b")))))': True,
    "(and (char.<= (_ Char 65) (_ Char 66)) (= (char.to_int (_ Char 65)) 65) (char.is_digit (_ Char 50)))": True,
    "(= (set.comprehension ((x (_ BitVec 4))) (bvult x #x3) (bvadd x x)) (set.insert #x0 #x2 (set.singleton #x4)))": True,
    "(set.member 0 (set.comprehension ((p Bool)) p (ite p 1 0)))": False,
    "(forall ((q Bool)) (= (set.card (set.comprehension ((p Bool)) (= p q) p)) 1))": True,
    "(set.member 2 (set.comprehension ((x Int)) (> x 1) x))": None,
    "(eqrange ((as const (Array Int Int)) 1) (store ((as const (Array Int Int)) 1) 5 2) 6 4)": True,
    "(eqrange ((as const (Array Int Int)) 1) (store ((as const (Array Int Int)) 1) 5 2) 1 4)": True,
    "(eqrange ((as const (Array Int Int)) 1) (store ((as const (Array Int Int)) 1) 5 2) 1 5)": False,
    "(eqrange (store ((as const (Array Int Int)) 1) 5 2) (store ((as const (Array Int Int)) 3) 5 2) 5 5)": True,
    "(eqrange (store ((as const (Array Int Int)) 1) 5 2) (store ((as const (Array Int Int)) 3) 5 2) 5 6)": False,
    "(< 3.14 real.pi 3.15)": True,
    "(= (sin (/ real.pi 6)) 0.5)": True,
    "(= (+ (* (sin 1.0) (sin 1.0)) (* (cos 1.0) (cos 1.0))) 1.0)": None,
    "(< (exp 1.0) 2.72 (exp 1.01))": True,
    "(< (exp 1.0) 1.0 (+ (* (sin 1.0) (sin 1.0)) (* (cos 1.0) (cos 1.0))))": False,
    "(= (sqrt (- 1.0)) 1.0)": None,
    "(= (* (sqrt 2.0) (sqrt 2.0)) 2.0)": True,
    "(distinct real.pi (exp 1.0) 3.0)": True,
    "(= (select (store ((as const (Array Real Int)) 0) 3.0 1) real.pi) 0)": None,
    "(= ((_ to_fp 8 24) RNE real.pi) ((_ to_fp 8 24) RNE 3.14159265358979))": True,
}  # fmt: skip


@pytest.mark.parametrize("formula", SAID)
def test_said(formula: str) -> None:
    answer = says(formula, declarations=DECLARED)
    assert (answer if isinstance(answer, bool) else None) is SAID[formula], answer


def test_the_number_of_elements() -> None:
    declared = "(declare-sort S 0) (declare-const a S)"
    model = """((declare-fun S!val!0 () S) (declare-fun S!val!1 () S)
                (forall ((x S)) (or (= x S!val!0) (= x S!val!1))) (define-fun a () S S!val!0))"""
    assert says("(_ fmf.card S 2)", model, declared) is True
    assert says("(_ fmf.card S 1)", model, declared) is False
    assert isinstance(says("(_ fmf.card S 1)", "((define-fun a () S (as @a S)))", declared), str)


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("(set.member true (as set.universe (Set Bool)))", True),
        ("(= (set.complement (set.singleton #b0)) (set.singleton #b1))", True),
        ("(= (set.card (as set.universe (Set (_ BitVec 3)))) 8)", True),
        # With another universe it may hold.
        ("(= (as set.universe (Set Bool)) (as set.empty (Set Bool)))", None),
        ("(= (set.card (as set.universe (Set (_ BitVec 3)))) 7)", None),
        ("(set.member 1 (as set.universe (Set Int)))", None),
        ("(and false (set.member 1 (as set.universe (Set Int))))", False),
    ],
)
def test_universes_show_what_holds_and_refute_nothing(formula: str, said: bool | None) -> None:
    found = says(formula)
    assert (None if isinstance(found, str) else found) is said
