"""Sorts, patterns and signatures."""

from __future__ import annotations

import pickle

import pytest

from falsum.errors import UsageError
from falsum.smtlib.signatures import Signature, read_pattern, read_signature
from falsum.smtlib.sorts import (
    BOOL,
    INT,
    MAX_DEPTH,
    MAX_SIZE,
    REAL,
    STRING,
    Bindings,
    Sort,
    array,
    bitvec,
    compute,
    flat,
    function,
    match,
    substitute,
)
from falsum.smtlib.text import lexer, sexpr


def parsed(text: str) -> sexpr.SExpr:
    return sexpr.read(token for chunk in lexer.chunks(text) for token in chunk.tokens)[0]


def pattern(text: str) -> Sort:
    return read_pattern(parsed(text), frozenset("AB"))


def signature(text: str) -> Signature:
    return read_signature(parsed(text))


def test_sorts_are_shared() -> None:
    assert array(INT, bitvec(8)) is Sort("Array", (), (INT, Sort("BitVec", (8,))))
    assert Sort("A") is not Sort.parameter("A")
    assert pickle.loads(pickle.dumps(array(INT, REAL))) is array(INT, REAL)
    assert str(array(INT, bitvec(8))) == "(Array Int (_ BitVec 8))"


def test_functions_can_be_made_flat() -> None:
    assert flat(function((INT,), function((BOOL,), REAL))) is function((INT, BOOL), REAL)
    assert flat(INT) is INT


def test_sorts_are_bounded() -> None:
    chain = tree = INT
    for _ in range(MAX_DEPTH - 1):
        chain = Sort("Seq", (), (chain,))
    while tree.size <= MAX_SIZE // 2 - 1:
        tree = array(tree, tree)
    with pytest.raises(UsageError, match="nested more than 200 levels"):
        Sort("Seq", (), (chain,))
    with pytest.raises(UsageError, match="parts"):
        array(tree, tree)


@pytest.mark.parametrize(
    ("text", "sort", "bound"),
    [
        ("A", INT, {"A": INT}),
        ("(Array A A)", array(INT, INT), {"A": INT}),
        ("(Array A B)", array(INT, REAL), {"A": INT, "B": REAL}),
        ("(_ BitVec m)", bitvec(8), {"m": 8}),
        ("Int", INT, {}),
        ("(Array A A)", array(INT, REAL), None),
        ("(_ BitVec 7)", bitvec(8), None),
        ("Int", REAL, None),
        ("(Seq A)", STRING, None),
        ("(_ BitVec (+ m 1))", bitvec(8), None),
    ],
)
def test_match(text: str, sort: Sort, bound: Bindings | None) -> None:
    bindings: Bindings = {}
    assert match(pattern(text), sort, bindings) is (bound is not None)
    if bound is not None:
        assert bindings == bound
        assert substitute(pattern(text), bindings) is sort


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(+ i 1)", 4),
        ("(- i 1 1)", 1),
        ("(* i i)", 9),
        ("(<= 0 i 3)", 1),
        ("(< 0 i 3)", 0),
        ("k", None),
        ("7", 7),
    ],
)
def test_compute(text: str, number: int | None) -> None:
    index = pattern(f"(_ X {text})").indices[0]
    assert compute(index, {"i": 3}) == number


@pytest.mark.parametrize("text", ["(/ i 1)", "(-)", "(foo)"])
def test_compute_refuses(text: str) -> None:
    with pytest.raises(UsageError):
        compute(pattern(f"(_ X {text})").indices[0], {"i": 3})


BV8, BV4 = bitvec(8), bitvec(4)


@pytest.mark.parametrize(
    ("text", "indices", "sorts", "result"),
    [
        ("(f Int Bool)", (), (INT,), BOOL),
        ("(f Int Bool)", (), (REAL,), None),
        ("(f Int Bool)", (), (), None),
        ("(f Int Bool)", (1,), (INT,), None),
        ("(par (A) (= A A Bool :chainable))", (), (INT, INT, INT), BOOL),
        ("(par (A) (= A A Bool :chainable))", (), (INT, INT, REAL), None),
        ("(par (A) (= A A Bool :chainable))", (), (INT,), None),
        ("(par (A) (d A A Bool :pairwise))", (), (INT,), BOOL),
        ("(and Bool Bool Bool :left-assoc)", (), (BOOL,) * 50, BOOL),
        ("(and Bool Bool Bool :left-assoc)", (), (BOOL,), BOOL),
        ("(and Bool Bool Bool :left-assoc)", (), (), None),
        ("(and Bool Bool Bool :left-assoc)", (), (BOOL, INT), None),
        ("(f Bool Bool Bool)", (), (BOOL, BOOL, BOOL), None),
        ("(i Bool Int Int :right-assoc)", (), (BOOL, BOOL, INT), INT),
        ("(i Bool Int Int :right-assoc)", (), (BOOL, INT, INT), None),
        ("(c (_ BitVec i) (_ BitVec j) (_ BitVec (+ i j)) :left-assoc)", (), (BV8, BV4, BV4), bitvec(16)),
        ("(c (_ BitVec i) (_ BitVec j) (_ BitVec (+ i j)) :left-assoc)", (), (BV8,), None),
        ("((_ e i) (_ BitVec m) (_ BitVec i) :where (< i m))", (4,), (BV8,), BV4),
        ("((_ e i) (_ BitVec m) (_ BitVec i) :where (< i m))", (8,), (BV8,), None),
        ("((_ e i) (_ BitVec m) (_ BitVec i) :where (< i m))", ("x",), (BV8,), None),
        ("(par (A) (empty (Seq A)))", (), (), None),
    ],
)
def test_rank(text: str, indices: tuple[int, ...], sorts: tuple[Sort, ...], result: Sort | None) -> None:
    assert signature(text).rank(indices, sorts) is result


def test_a_qualifier_decides_what_arguments_leave_open() -> None:
    empty = signature("(par (A) (empty (Seq A)))")
    ints = Sort("Seq", (), (INT,))
    assert empty.rank((), (), ints) is ints
    assert empty.rank((), (), INT) is None


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "()",
        "(f)",
        "(par)",
        "(par (A))",
        "(par A (f A))",
        "((f) Int)",
        "((_ f i))",
        "(f Int :odd)",
        "(f ())",
        "(f Int Int :left-assoc)",
        "(f (_) Int)",
        "(f :chainable)",
    ],
)
def test_not_a_signature(text: str) -> None:
    with pytest.raises(UsageError):
        signature(text)


@pytest.mark.parametrize("text", ["(a", "a)", "(a))", ")("])
def test_unbalanced_expressions(text: str) -> None:
    with pytest.raises(ValueError, match="parenthesis"):
        sexpr.read(token for chunk in lexer.chunks(text) for token in chunk.tokens)


@pytest.mark.parametrize("text", ["a", "()", "(a (b c) () d)", "((a))", '("x y" |z|)'])
def test_expressions_are_written_as_read(text: str) -> None:
    assert sexpr.write(parsed(text)) == text
