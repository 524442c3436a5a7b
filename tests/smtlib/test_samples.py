"""Sampling ends soon, also where values are huge or infinite; other values stay as they were."""

from __future__ import annotations

import time
from random import Random

import pytest

from falsum.errors import ScriptError
from falsum.smtlib import read_script
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.samples import random_value, simplest
from falsum.smtlib.sorts import Sort
from falsum.smtlib.values.cannot_say import CannotSay

_STREAM = "(declare-codatatypes ((S 0)) (((A (a S)) (B (b S)) (C (c S)))))"
# Every value has 2^30 leaves.
_TREE = "(declare-datatypes ({}) ({}))".format(
    " ".join(f"(T{n} 0)" for n in range(31)),
    "((leaf))" + "".join(f"((n{n} (l{n} T{n - 1}) (r{n} T{n - 1})))" for n in range(1, 31)),
)
_WIDE = (
    "(declare-datatypes ((W 0)) (((stop) "
    + " ".join(f"(w{n} " + " ".join(f"(s{n}_{k} W)" for k in range(9)) + ")" for n in range(9))
    + ")))"
)


@pytest.mark.parametrize(("text", "name"), [(_STREAM, "S"), (_TREE, "T30")])
def test_gives_up_soon(text: str, name: str) -> None:
    model = bare_model(read_script(text))
    start = time.process_time()
    assert isinstance(simplest(Sort(name), model), CannotSay)
    assert isinstance(random_value(Sort(name), model, Random(1)), CannotSay)
    assert time.process_time() - start < 5


def test_a_sort_without_finite_values_is_given_up_at_once() -> None:
    model = bare_model(read_script(_STREAM))
    start = time.process_time()
    for seed in range(200):
        assert isinstance(simplest(Sort("S"), model), CannotSay)
        assert isinstance(random_value(Sort("S"), model, Random(seed)), CannotSay)
    assert time.process_time() - start < 5


def test_large_values_are_completed_with_simple_components() -> None:
    model = bare_model(read_script(_WIDE))
    start = time.process_time()
    values = [random_value(Sort("W"), model, Random(seed)) for seed in range(4)]
    assert not any(isinstance(value, CannotSay) for value in values)
    assert time.process_time() - start < 10


def test_small_values_are_drawn_as_ever() -> None:
    text = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))"
    model = bare_model(read_script(text))
    rng = Random(7)
    drawn = [str(random_value(Sort("L"), model, rng)) for _ in range(200)]
    assert len({*drawn}) > 50
    assert rng.random() == 0.818833107704291


@pytest.mark.parametrize(
    "term",
    [
        "(bvnot (_ bv3 90000000000))",
        "((_ zero_extend 90000000000) #b1)",
        "((_ repeat 90000000000) #b1)",
        "((_ int_to_bv 90000000000) 1)",
    ],
)
def test_widths_are_bounded(term: str) -> None:
    with pytest.raises(ScriptError):
        read_script(f"(assert (= {term} {term}))")
    with pytest.raises(ScriptError, match="more than 1048576 bits"):
        read_script("(declare-const x (_ BitVec 90000000000))")


@pytest.mark.parametrize("digits", ["7" * 400_000, "a" * 400_000, "7" * 400_000 + ".0"])
def test_long_words_in_a_model_take_linear_time(digits: str) -> None:
    script = read_script("(declare-const x Int)(assert (> x 0))(check-sat)")
    start = time.process_time()
    read_model(f"(model (define-fun x () Int {digits}))", script)
    assert time.process_time() - start < 2
