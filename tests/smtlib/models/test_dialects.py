"""Models of yices and boolector become definitions."""

from __future__ import annotations

import pytest

from falsum.smtlib.models.dialects import bit_lines, equations, is_bit_lines, is_equations
from falsum.smtlib.sorts import INT, Sort, array
from falsum.smtlib.terms import Function

ARRAY = "(Array (_ BitVec 2) (_ BitVec 4))"
FOUR, TWO = Sort("BitVec", (4,)), Sort("BitVec", (2,))
FUNCTIONS = {
    "x": Function("x", (), INT),
    "a b": Function("a b", (), INT),
    "f": Function("f", (INT, INT), INT),
    "m": Function("m", (), array(INT, INT)),
    "s": Function("s", (), Sort("S")),
    "v": Function("v", (), FOUR),
    "g": Function("g", (TWO,), FOUR),
    "n": Function("n", (), array(TWO, FOUR)),
}
TABLE = "(function @t\n (type (-> int int int))\n (= (@t 7 1) 8)\n (default 5))"
ROWS = "(function @m\n (type (-> int int))\n (= (@m 3) 4)\n (default 0))"


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        ("(= x 5)", "(define-fun x () Int 5)"),
        ("(= x (- 5))", "(define-fun x () Int (- 5))"),
        ("(= |a b| 1)", "(define-fun |a b| () Int 1)"),
        ("(= s @const_0)", "(define-fun s () S (as @const_0 S))"),
        (
            f"(= f @t)\n{TABLE}",
            "(define-fun f ((x!0 Int) (x!1 Int)) Int (ite (and (= x!0 7) (= x!1 1)) 8 5))",
        ),
        (
            f"(= m @m)\n{ROWS}",
            "(define-fun m () (Array Int Int) (store ((as const (Array Int Int)) 0) 3 4))",
        ),
    ],
)
def test_equations(text: str, definition: str) -> None:
    assert is_equations(text)
    assert [made for _name, made in equations(text, FUNCTIONS)] == [definition]


@pytest.mark.parametrize(
    "text", ["sat", "((define-fun x () Int 5))\n(= x 5)", "(heap\n(pto 1 2)\n(= nil 0))"]
)
def test_other_models_are_no_equations(text: str) -> None:
    assert not is_equations(text)


def test_symbols_that_the_script_lacks_are_left_out() -> None:
    assert equations("(= other 5)\n(= x 1)", FUNCTIONS) == [("x", "(define-fun x () Int 1)")]
    assert bit_lines("other 01", FUNCTIONS) == []


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        ("v 01x1", "(define-fun v () (_ BitVec 4) #b0101)"),
        ("2 0101 v", "(define-fun v () (_ BitVec 4) #b0101)"),
        (
            "g[01] 1100",
            "(define-fun g ((x!0 (_ BitVec 2))) (_ BitVec 4) (ite (and true (= x!0 #b01)) #b1100 #b0000))",
        ),
        (
            "3[01] 1100 n\n3[10] 0001 n",
            f"(define-fun n () {ARRAY} (store (store ((as const {ARRAY}) #b0000) #b01 #b1100) #b10 #b0001))",
        ),
    ],
)
def test_bit_lines(text: str, definition: str) -> None:
    assert is_bit_lines(text)
    assert [made for _name, made in bit_lines(text, FUNCTIONS)] == [definition]


@pytest.mark.parametrize("text", ["sat", "(v 0101)", "v 12"])
def test_other_text_is_no_bit_line(text: str) -> None:
    assert not is_bit_lines(text)
