"""Hostile input: nothing but ScriptError, with a place inside the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from tests.generators import broken_scripts
from tests.smtlib.accepted_cases import PRELUDE

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_script
from falsum.smtlib.text.lexer import decode

DEEP = 100_000
MANY = 20_000
SCRIPTS = (
    "(set-logic ALL)(declare-fun |a b| (Int) Bool) ; comment\n(assert (let ((x 1)) (! (|a b| x) :named n)))",
    '(declare-datatypes ((T 1)) ((par (X) ((n) (c (h X))))))(assert (= (str.len "a""b") (h (c #b1 1))))',
    "(declare-const q (Array Int (_ BitVec 4)))(assert (= ((_ extract 1 0) (select q (- 1))) #b01))(exit)",
    "(define-fun-rec f ((x Int)) Int (ite (< x 0) 0 (f (- x 1))))(push 1)(assert (exists ((y Int)) (= y 0)))",
    "(declare-datatypes () ((A b (c (d A)))))(assert (match b ((b true) ((c z) ((_ is b) z)))))(echo b)",
)


def check_place(text: str, error: ScriptError) -> None:
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert error.message.strip()
    assert error.message.isprintable()


def outcome(text: str) -> str:
    """ "" if it is read (and then also read back), else the message; the place is checked."""
    try:
        script = read_script(text)
    except ScriptError as error:
        check_place(text, error)
        return error.message
    assert read_script(print_script(script)) == script
    return ""


@pytest.mark.parametrize("script", SCRIPTS)
def test_truncated_at_every_byte(script: str) -> None:
    data = script.encode()
    for size in range(len(data)):
        outcome(decode(data[:size]))


@pytest.mark.parametrize("script", SCRIPTS)
def test_each_parenthesis_missing(script: str) -> None:
    for place, character in enumerate(script):
        if character in "()":
            assert outcome(script[:place] + script[place + 1 :])


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1_000_000,
        ")" * 1_000_000,
        "(assert " * DEEP,
        "(assert " + "(not " * DEEP,
        "(declare-const x " + "(" * DEEP,
        "(declare-const x " + "(Array Int " * 1000 + "Int" + ")" * 1000 + ")",
        "(declare-const x " + "(-> Int " * DEEP,
        "(define-sort S (X) (Array X (Array X X)))(declare-const q " + "(S " * 60 + "Int" + ")" * 61,
        "(assert (= " + "(tuple " * 250 + "1" + ")" * 250 + " 1))",
        "(assert (= 1 " + "9" * 1_000_001 + "))",
        "(assert (= #b1 (_ bv" + "9" * 200_000 + " 8)))",
        "(assert (_ bv5 99999999999999999999))",
        "(assert (_ +oo 99999999999 99999999999))",
        "(assert (root-obj (^ x 99999999999) 1))",
        "(push 99999999999999)",
        "\x00",
        "(\x00)",
        "(assert \x00)",
        "\ufeff(assert true)",
        "(assert\u00a0true)",
        "(assert true)\x1a",
        "\x7fELF\x02\x01\x01\x00(",
        '"',
        "|",
        "(declare-const x |\n\n",
        "(declare-fun f () |\nunknown\nsort|)",
    ],
    ids=lambda text: ascii(text)[:30],
)
def test_extremes_are_refused(text: str) -> None:
    start = time.process_time()
    assert outcome(text)
    assert time.process_time() - start < 20


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\f", "; only a comment", ";", "\r\n(assert true)\r"])
def test_nothing_is_a_script(text: str) -> None:
    assert not outcome(text)


@pytest.mark.parametrize(
    "text",
    [
        "(assert " + "(not " * DEEP + "true" + ")" * DEEP + ")",
        "(assert " + "(let ((x true)) " * DEEP + "x" + ")" * DEEP + ")",
        "(assert " + "(let ((x " * MANY + "true" + ")) x)" * MANY + ")",
        "(assert " + "(forall ((x Int)) " * MANY + "true" + ")" * MANY + ")",
        "(assert " + "(! " * MANY + "true" + " :a b)" * MANY + ")",
        "(assert " + "(" * MANY + "and" + ")" * MANY + ")",
        "(assert (= 0.0 " + "(+ 1 " * MANY + "1.0" + ")" * MANY + "))",
        "(set-info :a " + "(" * DEEP + ")" * DEEP + ")",
        "(blub " + "(" * DEEP + ")" * DEEP + ")",
        "(assert (and " + "true " * DEEP + "))",
        "(assert (< " + "1 " * MANY + "1.0))",
    ],
    ids=lambda text: text[:25],
)
def test_depth_and_breadth(text: str) -> None:
    script = read_script(text)
    assert read_script(print_script(script)) == script


@settings(
    max_examples=400, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
@given(broken_scripts)
def test_word_soup(text: str) -> None:
    outcome(text)
    outcome(f"{PRELUDE}(simplify ({text}")
    outcome(f"{PRELUDE}({text}))")


@pytest.mark.slow
def test_fifty_megabytes() -> None:
    line = "(assert (= (f x) (+ x 1 (f (f (- x 12345)))) (ite (< x y) (f y) (- y))))\n"
    text = "(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)\n" + line * (
        50_000_000 // len(line)
    )
    script = read_script(text)
    assert len(script.assertions) == 50_000_000 // len(line)
    assert len(print_script(script)) == len(text) + 2
