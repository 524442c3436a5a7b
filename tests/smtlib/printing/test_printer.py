"""What is printed: the spelling that was read, and nothing that cannot be read again."""

from __future__ import annotations

import pytest
from tests.smtlib.accepted_cases import PRELUDE

from falsum.smtlib import print_script, read_script

SAME = (
    # Spellings: literals, old names, lenient forms.
    "(simplify (= x 00))",
    "(simplify (= r 1))",
    "(simplify (+ r 1 x))",
    "(simplify (= b #xfF))",
    "(simplify (= b (_ bv5 8)))",
    r'(simplify "\u{41}\u0042""é")',
    "(simplify (str.to.int s))",
    "(simplify (bv2nat b))",
    "(simplify (implies p p))",
    "(simplify ((_ is nil) l))",
    "(simplify (is-nil l))",
    "(simplify (fp #b0 #b00001 #b0000000000))",
    "(simplify (_ +oo 5 11))",
    "(simplify roundTowardZero)",
    "(simplify RTZ)",
    "(simplify (and))",
    "(simplify (a 1))",
    "(simplify (= r 1/3))",
    "(simplify (as ff-5 (_ FiniteField 7)))",
    "(simplify ((as const (Array Int Int)) 1))",
    "(simplify ((_ map (+ (Int Int) Int)) a a))",
    "(simplify (root-obj (+ (^ x 2) (- 2)) 1))",
    # Binders and annotations.
    "(simplify (let ((x y) (|a b| x)) (+ x |a b|)))",
    "(simplify (let () x))",
    "(simplify (forall ((z Int) (|q r| (_ BitVec 8))) (! (= z 1) :pattern ((f z) z) :qid |a b|)))",
    "(simplify (match l ((nil 0) ((cons h t) h))))",
    "(simplify (match l (((cons _ _) 1) (other 2))))",
    "(simplify (lambda ((z Int)) (f z)))",
    "(simplify ((lambda ((z Int)) (f z)) 1))",
    "(simplify (! p :named n :weight 3 :flag))",
    "(simplify (set.comprehension ((z Int)) (< z x) (f z)))",
    # Commands.
    "(set-logic QF_LIA)",
    "(set-info :source |\n two lines |)",
    "(set-option :produce-models true)",
    "(declare-sort S 2)",
    "(declare-sort-parameter A)",
    "(define-sort M (A B) (Array A (Array B Int)))",
    "(declare-fun |g h| (Int (-> Int Bool)) Real)",
    "(declare-const c (Array Int (_ FloatingPoint 5 11)))",
    "(define-fun g ((q Int)) Int (+ q 1))",
    "(define-fun-rec g ((q Int)) Int (g (+ q 1)))",
    "(define-funs-rec ((g ((q Int)) Int) (h () Bool)) ((g 1) h))",
    "(define-const g Int 1)",
    "(declare-datatypes ((T 1) (|E f| 0)) ((par (X) ((leaf (l X)) (node))) ((e) (|f g| (h (T Int))))))",
    "(declare-codatatypes ((St 0)) (((mk (h Int) (t St)))))",
    "(push 2)\n(pop 1)",
    "(check-sat)",
    "(check-sat-assuming (p (not p)))",
    "(get-value (x (+ x 1)))",
    "(minimize (+ x 1) :id goal)",
    "(assert-soft p :weight 0.5)",
    "(check-sat-using (then simplify (using-params smt :a 1)))",
    '(echo "a "" b")',
    '(never-heard-of (a b) |c d| "e")',
    "(synth-fun g ((q Int)) Int ((I Int)) ((I Int (q 0 (+ I I)))))",
    "(get-model)\n(reset-assertions)\n(exit)",
)  # fmt: skip


@pytest.mark.parametrize("text", SAME)
def test_printed_as_written(text: str) -> None:
    before = print_script(read_script(PRELUDE))
    script = read_script(before + text)
    printed = print_script(script)
    assert printed.removeprefix(before) == f"{text}\n"
    assert read_script(printed) == script


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("( assert ; comment\n\ttrue )", "(assert true)"),
        ("(declare-const |x| Int)", "(declare-const x Int)"),
        ("(push)", "(push 1)"),
        ("(declare-sort S)", "(declare-sort S 0)"),
        ("(check-sat p)", "(check-sat-assuming (p))"),
        ("(simplify ((f) 1))", "(simplify (f 1))"),
        ("(simplify (p))", "(simplify p)"),
        ("(assert (|and| p p))", "(assert (and p p))"),
    ],
)
def test_printed_in_another_way(text: str, printed: str) -> None:
    before = print_script(read_script(PRELUDE)) if "x|" not in text else ""
    assert print_script(read_script(before + text)).removeprefix(before) == f"{printed}\n"
