"""Whether terms follow grammars: derivable ones, others, and those that are only spelled differently."""

from __future__ import annotations

import pytest

from falsum.defects.evidence.assessment import Assessment
from falsum.defects.evidence.derivation import assess_derivation
from falsum.smtlib import read_script
from falsum.smtlib.scripts import DefineFun, SynthFun
from falsum.smtlib.syntax.grammars import read_grammar

PARAMETERS = "((x Int) (y Int) (b Bool) (r Real) (s (Seq Int)) (v (_ BitVec 8)) (l L))"
BEFORE = """(declare-datatype L ((nil) (cons (hd Int) (tl L))))
(declare-fun u (Int) Int)(define-fun twice ((a Int)) Int (+ a a))
(define-fun-rec fact ((n Int)) Int (ite (< n 1) 1 (* n (fact (- n 1)))))"""
INTS = (
    "((S Int) (B Bool)) ((S Int (x 0 1 (+ S S) (ite B S S))) (B Bool ((<= S S) (and B B) (Variable Bool))))"
)
NESTED = "((S Int) (T Int)) ((S Int (x (+ (* 2 S) T))) (T Int (1 T (twice y))))"
COUNTED = "((S Int)) ((S Int (x y (- 1) (- S S) (+ S S S))))"
NUMBERS = "((R Real) (C Real)) ((R Real (r C (* C r) (+ R R))) (C Real ((Constant Real))))"
BITS = "((V (_ BitVec 8))) ((V (_ BitVec 8) (v #x0f (bvnot V) ((_ rotate_left 1) V))))"
SEQUENCES = "((Q (Seq Int))) ((Q (Seq Int) (s (Constant (Seq Int)) (seq.++ Q Q))))"
LISTS = "((Q L)) ((Q L (l (Constant L) (cons 1 Q))))"
HALVES = "((R Real)) ((R Real (r 0.5 (/ 1 4))))"


def assessed(grammar: str, sort: str, body: str) -> Assessment:
    *before, command = read_script(f"{BEFORE}(synth-fun f {PARAMETERS} {sort} {grammar})").commands
    *_, definition = read_script(f"{BEFORE}(define-fun f {PARAMETERS} {sort} {body})").commands
    assert isinstance(command, SynthFun)
    assert isinstance(definition, DefineFun)
    return assess_derivation(read_grammar(command, before), definition.body, before)


@pytest.mark.parametrize(
    ("grammar", "sort", "body"),
    [
        (INTS, "Int", "x"),
        (INTS, "Int", "(ite (and b (<= x 1)) (+ x (+ x 0)) 1)"),
        (INTS, "Int", "(let ((z (+ x 1))) (let ((x z)) (+ x z)))"),
        (INTS, "Int", "(! (+ x 1) :named sum)"),
        (NESTED, "Int", "(+ (* 2 (+ (* 2 x) 1)) (twice y))"),
        (COUNTED, "Int", "(+ (- 1) (- x y) y)"),
        (COUNTED, "Int", "-1"),
        (NUMBERS, "Real", "(+ (/ (- 3) 2) (* (- (/ 1 2)) r))"),
        (NUMBERS, "Real", "(+ 0.5 (- 2.5))"),
        (NUMBERS, "Real", "(+ r (* (- 1) r))"),
        (BITS, "(_ BitVec 8)", "(bvnot ((_ rotate_left 1) #b00001111))"),
        (BITS, "(_ BitVec 8)", "(_ bv15 8)"),
        (SEQUENCES, "(Seq Int)", "(seq.++ s s)"),
        ("((S Int) (T Int)) ((S Int (T)) (T Int (S 1)))", "Int", "1"),
        ("((S Int)) ((S Int ((u S) (u 3))))", "Int", "(u (u 3))"),
        ("((S Int)) ((S Int (-3 2)))", "Int", "(- 3)"),
        ("((S Int)) ((S Int (1 (- S))))", "Int", "-1"),
        (HALVES, "Real", "(/ 1 2)"),
        (HALVES, "Real", "0.25"),
        (LISTS, "L", "(cons 1 l)"),
    ],
)
def test_derivable(grammar: str, sort: str, body: str) -> None:
    found = assessed(grammar, sort, body)
    assert found.holds is True, found


@pytest.mark.parametrize(
    ("grammar", "sort", "body", "part"),
    [
        (INTS, "Int", "y", "y"),
        (INTS, "Int", "(+ x 2)", "2"),
        (INTS, "Int", "(ite (< x 1) (+ x 1) 0)", "(< x 1)"),
        (INTS, "Int", "(let ((z (* x x))) (+ z z))", "(* x x)"),
        (INTS, "Int", "(ite (<= x 1) (u x) (- x))", "(u x)"),
        (INTS, "Int", "(+ x 1 (* x 1) (* x x))", "(* x 1)"),
        (INTS, "Int", "(fact x)", "(fact x)"),
        (INTS, "Int", "(ite (exists ((z Int)) (= z x)) 0 1)", "(exists ((z Int)) (= z x))"),
        (NESTED, "Int", "(+ (* 3 x) 1)", "3"),
        (NESTED, "Int", "(+ 1 (* 2 x))", "(+ 1 (* 2 x))"),
        (COUNTED, "Int", "(- 2)", "2"),
        (COUNTED, "Int", "(- x)", "(- x)"),
        (NUMBERS, "Real", "(* r r)", "(* r r)"),
        (NUMBERS, "Real", "(* (+ 1.0 1.0) r)", "(* (+ 1.0 1.0) r)"),
        (NUMBERS, "Real", "(- (- 1.0))", "(- (- 1.0))"),
        (BITS, "(_ BitVec 8)", "((_ rotate_left 2) v)", "((_ rotate_left 2) v)"),
        (BITS, "(_ BitVec 8)", "(bvnot #x0e)", "#x0e"),
        (SEQUENCES, "(Seq Int)", "(seq.++ s (seq.unit x))", "x"),
        ("((S Int) (T Int)) ((S Int (T)) (T Int (S 1)))", "Int", "x", "x"),
        # 2 is an operand of a product only.
        ("((S Int)) ((S Int (x y (+ x y) (* 2 x))))", "Int", "(+ x y 2)", "(+ x y 2)"),
        # A difference of three is no chain of comparisons, which might be a conjunction.
        ("((S Int)) ((S Int (x y (- x y x))))", "Int", "(* x y)", "(* x y)"),
        # Not a number, though its value is one of the grammar's.
        ("((R Real)) ((R Real (1.0 2.0)))", "Real", "(/ (+ 1.0 1.0) 2.0)", "(+ 1.0 1.0)"),
        (LISTS, "L", "(cons x nil)", "x"),
        (LISTS, "L", "(tl nil)", "(tl nil)"),
    ],
)
def test_not_derivable(grammar: str, sort: str, body: str, part: str) -> None:
    found = assessed(grammar, sort, body)
    assert found == Assessment(False, f"no rule of the grammar gives {part}")


def test_every_part_may_have_a_rule_of_its_own() -> None:
    found = assessed(NESTED, "Int", "(twice y)")
    assert found.holds is False
    assert "every part is given by a rule, but S does not give" in found.reason


@pytest.mark.parametrize(
    ("grammar", "sort", "body"),
    [
        (INTS, "Int", "(+ x 0 1)"),
        (INTS, "Int", "(ite (<= 0 x 1) x 0)"),
        (INTS, "Int", "(ite (and b b (<= x 1)) x 0)"),
        (NESTED, "Int", "(+ (* 2 x) (+ y y))"),
        (COUNTED, "Int", "(+ x (+ y y))"),
        ("((S Int)) ((S Int (x (+ x (+ x x)))))", "Int", "(+ (+ x x) x)"),
        ("((S Int)) ((S Int (x (+ x x))))", "Int", "(twice x)"),
        ("((S Int)) ((S Int (x (ite (<= 0 x 1) x 0))))", "Int", "(ite (and (<= 0 x) (<= x 1)) x 0)"),
        (SEQUENCES, "(Seq Int)", "(seq.++ s (seq.unit 1))"),
        (LISTS, "L", "(cons 2 nil)"),
    ],
)
def test_only_spelled_differently(grammar: str, sort: str, body: str) -> None:
    found = assessed(grammar, sort, body)
    assert found.holds is None, found


@pytest.mark.parametrize(("last", "holds"), [("x", True), ("y", False)])
def test_deep_and_shared_terms(last: str, holds: bool) -> None:
    count = 20_000
    left = f"{'(+ ' * count}{last}{' 1)' * count}"
    assert assessed(INTS, "Int", left).holds is holds
    shared = "".join(f"(let ((z{n} (+ z{n - 1} z{n - 1}))) " for n in range(1, 60))
    body = f"(let ((z0 {last})) {shared}z59{')' * 60}"
    assert assessed(INTS, "Int", body).holds is holds
    whole = assessed("((S Int)) ((S Int (x y (* S S))))", "Int", body)
    assert whole.reason == f"no rule of the grammar gives (+ {last} {last})"


def test_many_lets_are_not_expanded() -> None:
    lets = "".join(f"(let ((z{n} (+ z{n - 1} 1))) " for n in range(1, 3_000))
    found = assessed(INTS, "Int", f"(let ((z0 x)) {lets}z2999{')' * 3_000}")
    assert found == Assessment(None, "it has too many lets")


@pytest.mark.parametrize(("more", "holds"), [(0, True), (1, False)])
def test_long_rules(more: int, holds: bool) -> None:
    """As deep as the rule, and a table for every part of it."""
    rule = f"{'(u ' * 5_000}S{')' * 5_000}"
    body = f"{'(u ' * (10_000 + more)}x{')' * (10_000 + more)}"
    assert assessed(f"((S Int)) ((S Int (x {rule})))", "Int", body).holds is holds
