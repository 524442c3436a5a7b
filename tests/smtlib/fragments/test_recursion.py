"""Recursive definitions: which ones are known to have a solution."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.fragments.recursion import has_solution

LISTS = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))"
TREES = "(declare-datatypes ((T 0)(F 0)) (((node (label Int) (kids F))) ((none) (more (kid T) (rest F)))))"
STREAMS = "(declare-codatatypes ((S 0)) (((more (value Int) (next S)) (end))))"

ENDS = [
    "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (+ n (f (- n 1)))))",
    "(define-fun-rec f ((n Int)) Int (ite (> n 3) (f (+ n (- 2))) 1))",
    "(define-fun-rec f ((n Int)) Int (ite (< 0 n) (f (+ (- 1) n)) 1))",
    "(define-fun-rec f ((n Int)) Int (ite (not (>= n (- 4))) 0 (let ((m (- n 1))) (* m (f m)))))",
    "(define-fun-rec f ((n Int)) Bool (and (> n 0) (not (f (- n 1)))))",
    "(define-fun-rec f ((n Int)) Bool (or (< n 2) (f (- n 2))))",
    "(define-fun-rec f ((n Int)) Bool (=> (>= n 2) (f (- n 2))))",
    "(define-fun-rec f ((n Int)(k Int)) Int (ite (or (= k 7) (< n 0)) k (f (- n 1) (+ k 1))))",
    "(define-fun-rec f ((k Int)(n Int)) Int (ite (and (distinct k 7) (> n 0)) (f (+ k 1) (- n 1)) k))",
    (
        "(define-funs-rec ((e ((n Int)) Bool)(o ((n Int)) Bool))"
        "((ite (<= n 0) true (o (- n 1))) (ite (<= n 0) false (e (- n 1)))))"
    ),
    "(define-funs-rec ((f ((n Int)) Int)(g ((n Int)) Int)) ((g n) (+ n 1)))",
    "(define-fun-rec f ((n Int)) Int (+ n 1))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (match l ((nil 0) ((cons h t) (+ 1 (len t))))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (match l (((cons h t) (+ 1 (len t))) (other 0))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (ite ((_ is nil) l) 0 (+ 1 (len (tl l)))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (ite ((_ is cons) l) (+ 1 (len (tl l))) 0))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (ite (= l nil) 0 (+ 1 (len (tl l)))))",
    f"{LISTS}(define-fun-rec app ((l L)(m L)) L (match l ((nil m) ((cons h t) (cons h (app t m))))))",
    (
        f"{LISTS}(define-fun-rec two ((l L)) Int"
        "(match l ((nil 0) ((cons h t) (match t ((nil 1) ((cons h t) (+ 2 (two t)))))))))"
    ),
    (
        f"{TREES}(define-funs-rec ((st ((t T)) Int)(sf ((f F)) Int))"
        "((match t (((node l k) (+ l (sf k))))) (match f ((none 0) ((more t r) (+ (st t) (sf r)))))))"
    ),
    (
        f"{TREES}(define-funs-rec ((st ((t T)) Int)(sf ((f F)) Int))"
        "((sf (kids t)) (ite ((_ is none) f) 0 (+ (st (kid f)) (sf (rest f))))))"
    ),
    "(define-fun f ((n Int)) Int (+ n 1))(declare-fun g (Int) Int)(assert (= (g 1) (f 2)))",
]
MAY_NOT_END = [
    "(define-fun-rec f ((x Int)) Int (+ (f x) 1))",
    "(define-fun-rec f ((x Int)) Bool (not (f x)))",
    "(define-fun-rec f ((n Int)) Int (+ n (f (- n 1))))",
    "(define-fun-rec f ((n Int)) Int (ite (= n 0) 1 (* n (f (- n 1)))))",
    "(define-fun-rec f ((n Int)) Int (ite (<= n 0) (f (- n 1)) 1))",
    "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (+ n 1))))",
    "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (- n 0))))",
    "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (f (- n 1)))))",
    "(define-fun-rec f ((n Int)(k Int)) Int (ite (<= n k) 0 (f (- n 1) (- k 1))))",
    "(define-fun-rec f ((n Int)) Bool (and (f (- n 1)) (> n 0)))",
    "(define-fun-rec f ((n Int)) Bool (and (f n) false))",
    "(define-fun-rec f ((x Real)) Real (ite (<= x 0.0) 0.0 (f (- x 1.0))))",
    "(define-fun-rec f ((n Int)) Bool (ite (<= n 0) true (forall ((n Int)) (f (- n 1)))))",
    "(define-funs-rec ((e ((n Int)) Bool)(o ((n Int)) Bool)) ((not (o n)) (e n)))",
    "(define-funs-rec ((e ((n Int)) Bool)(o ((n Int)) Bool)) ((ite (<= n 0) true (o (- n 1))) (e (+ n 1))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (+ 1 (len (tl l))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (ite ((_ is cons) l) 0 (+ 1 (len (tl l)))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (ite ((_ is nil) l) 0 (+ 1 (len (tl (tl l))))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (match l ((nil 0) ((cons h t) (+ 1 (len l))))))",
    f"{LISTS}(define-fun-rec len ((l L)) Int (match l ((nil 0) (other (+ 1 (len other))))))",
    (
        f"{LISTS}(define-fun-rec len ((l L)) Int"
        "(match l ((nil 0) ((cons h t) (ite (forall ((t L)) (= (len t) 0)) 1 2)))))"
    ),
    f"{STREAMS}(define-fun-rec len ((s S)) Int (match s ((end 0) ((more v n) (+ 1 (len n))))))",
    f"{STREAMS}(define-fun-rec len ((s S)) Int (ite ((_ is more) s) (+ 1 (len (next s))) 0))",
]


@pytest.mark.parametrize("text", ENDS)
def test_recursion_that_ends_has_a_solution(text: str) -> None:
    script = read_script(text)
    assert script.not_understood == ()
    assert has_solution(script)


@pytest.mark.parametrize("text", MAY_NOT_END)
def test_of_recursion_that_may_not_end_nothing_is_known(text: str) -> None:
    script = read_script(text)
    assert script.not_understood == ()
    assert not has_solution(script)


def test_bodies_are_searched_within_a_bound() -> None:
    """Each condition is known below it, or not: more places than a search may visit."""
    body = "(f (- n 1) k)"
    for number in range(16):
        body = f"(+ (ite (= k {number}) {body} 0) (ite (distinct k {number}) {body} 1))"
    header = "(define-fun-rec f ((n Int)(k Int)) Int"
    assert has_solution(read_script(f"{header} (ite (<= n 0) 0 (f (- n 1) k)))"))
    assert not has_solution(read_script(f"{header} (ite (<= n 0) 0 {body}))"))
