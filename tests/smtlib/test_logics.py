"""What a logic's name means."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.logics import covering, logic_of, smallest_logic
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import INT, REAL, bitvec
from falsum.smtlib.terms import App, Head, Term, app, value
from falsum.smtlib.theories import OPERATORS

MINUS, TIMES = OPERATORS["-"], OPERATORS["*"]


@pytest.mark.parametrize(
    ("name", "sorts"),
    [
        ("", None),
        ("ALL", None),
        ("HO_ALL", None),
        ("QF_NEW", "Bool"),
        ("QF_SEQLIA", "Bool Seq Int"),
        ("QF_NRAT", "Bool Real"),
        ("QF_UF", "Bool"),
        ("QF_AUFLIA", "Bool Array Int"),
        ("QF_SLIA", "Bool String RegLan Int"),
        ("QF_ABVFPLRA", "Bool Array FloatingPoint RoundingMode BitVec Real"),
        ("QF_UFFF", "Bool FiniteField"),
        ("HO_UFNIRA", "Bool Int Real"),
    ],
)
def test_sorts(name: str, sorts: str | None) -> None:
    assert logic_of(name).sorts == (None if sorts is None else frozenset(sorts.split()))


def test_what_a_solver_must_support() -> None:
    assert logic_of("QF_AUFBVFP").needs == {"arrays", "uf", "bitvectors", "floats"}
    assert logic_of("QF_SLIA").needs == {"strings", "ints"}
    assert logic_of("UFDTNIRA").needs == {"uf", "datatypes", "ints", "reals", "quantifiers"}
    assert logic_of("HO_QF_UF").needs == {"uf", "higher order"}
    assert logic_of("ALL").needs == logic_of("").needs == frozenset()


@pytest.mark.parametrize("name", ["QF_LIA", "AUFLIRA", "QF_IDL", "QF_UFRDL", "QF_STRANGELIA"])
def test_linear_logics(name: str) -> None:
    assert logic_of(name).is_linear


def test_restrictions_of_arithmetic() -> None:
    assert not logic_of("QF_NIA").is_linear
    assert not logic_of("ALL").is_linear
    assert logic_of("QF_UFIDL").is_difference
    assert logic_of("QF_UFIDL").widened == "QF_UFLIA"
    assert logic_of("QF_LIA").widened == "QF_LIA"
    assert logic_of("QF_S").widened == "QF_SLIA"
    assert logic_of("QF_NRA").is_real
    assert not logic_of("QF_LIRA").is_real
    assert logic_of("QF_NRAT").is_real
    assert logic_of("QF_UFLIAFS").is_linear


def test_theories_of_a_logic() -> None:
    assert logic_of("QF_FP").has_theory("FloatingPoint")
    assert not logic_of("QF_FP").has_theory("Arithmetic")
    assert not logic_of("QF_FPLRA").has_theory("FixedSizeBitVectors")
    assert logic_of("ALL").has_theory("Sets")
    assert [name for name in ("Core", "Arithmetic") if logic_of("QF_NEW").has_theory(name)] == ["Core"]


def test_numbers_of_a_logic() -> None:
    assert logic_of("QF_FP").lacks_numbers(REAL)
    assert logic_of("QF_LRA").lacks_numbers(INT)
    assert not any(logic_of(name).lacks_numbers(INT) for name in ("ALL", "QF_SLIA", "QF_NEW"))


def test_new_constants_need_a_sort_that_every_solver_has() -> None:
    byte = bitvec(8)
    assert not any(logic_of(name).may_declare(byte) for name in ("QF_FP", "FPLRA", "QF_FPLRA"))
    assert all(logic_of(name).may_declare(byte) for name in ("QF_BVFP", "QF_ABV", "ALL"))
    assert not logic_of("QF_FP").may_declare(REAL)
    assert logic_of("QF_FPLRA").may_declare(REAL)


def test_one_logic_covers_another() -> None:
    assert covering("QF_LIA", "QF_LIA") == "QF_LIA"
    assert covering("QF_LIA", "QF_UFLIA") == "QF_UFLIA"
    assert covering("LIA", "QF_LIA") == "LIA"
    assert covering("QF_NIA", "QF_LIA") == "QF_NIA"
    assert covering("QF_IDL", "QF_LIA") == "QF_LIA"
    assert covering("QF_LIA", "QF_LRA") == "ALL"
    assert covering("QF_LIRA", "QF_LRA") == "QF_LIRA"
    assert covering("QF_AX", "QF_ALIA") == "QF_ALIA"
    assert covering("QF_ALIA", "QF_AX") == "QF_ALIA"
    assert covering("QF_AX", "QF_A") == "QF_A"
    assert covering("", "QF_BV") == "ALL"
    assert covering("QF_BV", "HO_ALL") == "HO_ALL"
    assert logic_of("ALL").covers(logic_of("AUFLIA"))
    assert not logic_of("ALL").covers(logic_of("HO_UF"))
    assert not logic_of("AUFLIA").covers(logic_of("ALL"))


def test_the_smallest_logic_with_some_theories() -> None:
    assert smallest_logic(["arrays"], has_quantifiers=False) == "QF_AX"
    assert smallest_logic(["bitvectors", "arrays"], has_quantifiers=True) == "ABV"
    assert smallest_logic(["reals", "arrays", "ints"], has_quantifiers=False) == "QF_ANIRA"
    assert smallest_logic(["uf", "bags"], has_quantifiers=False) == "ALL"
    assert smallest_logic([], has_quantifiers=False) == "ALL"
    for theories in (("uf",), ("strings", "ints"), ("floats", "reals"), ("datatypes", "sequences")):
        logic = logic_of(smallest_logic(theories, has_quantifiers=False))
        assert logic.theories == frozenset(theories)


@pytest.mark.parametrize(
    ("term", "is_linear"),
    [("(* x x)", False), ("(* 2 (- 3) x)", True), ("(div x (- 2))", True), ("(div x 0)", False)],
)
def test_linear_terms(term: str, is_linear: bool) -> None:
    (equation,) = read_script(f"(declare-const x Int)(assert (= x {term}))").assertions
    assert isinstance(equation, App)
    part = equation.args[1]
    assert isinstance(part, App)
    assert isinstance(part.head.symbol, Operator)
    assert logic_of("QF_LIA").allows(part.head.symbol, part.args) is is_linear


def test_deep_minus_signs_are_numbers() -> None:
    number: Term = value(INT, 1, "1")
    for _ in range(100_000):
        number = app(Head(MINUS), (number,))
    shared: Term = value(INT, 1, "1")
    for _ in range(100):
        shared = app(Head(MINUS), (shared, shared))
    assert logic_of("QF_LIA").allows(TIMES, (number, shared, number))


def test_sat_is_not_made_of_letters() -> None:
    assert logic_of("QF_SAT").theories is None
    assert logic_of("SAT").is_unknown
