"""The heap after a model of separation logic."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.models.reader import read_model

DECLARED = "(declare-sort L 0)(declare-heap (L Int))(declare-const x L)(declare-const n Int)"
MODEL = """(
; cardinality of L is 2
; rep: (as @L_0 L)
; rep: (as @L_1 L)
(define-fun x () L (as @L_0 L))
)
"""


@pytest.mark.parametrize(
    ("heap", "cells"),
    [
        ("sep.emp", []),
        ("(pto x 5)", ["x", "5"]),
        ("(sep (pto (as @L_1 L) n) (pto x (- 5)))", ["(as @L_1 L)", "n", "x", "(- 5)"]),
    ],
)
def test_a_heap_is_read(heap: str, cells: list[str]) -> None:
    read = read_model(f"{MODEL}(heap\n{heap}\n(= (as sep.nil L) (as @L_1 L))\n)", read_script(DECLARED)).heap
    assert read is not None
    assert [print_term(term) for cell in read.cells for term in cell] == cells
    assert print_term(read.nil) == "(as @L_1 L)"
    assert [str(sort) for sort in read.sorts] == ["L", "Int"]


@pytest.mark.parametrize(
    "heap",
    ["(pto unknown 5)\n(= (as sep.nil L) x)", "(or true)\n(= (as sep.nil L) x)", "sep.emp\nx", "sep.emp", ""],
)
def test_a_heap_that_cannot_be_read_spoils_nothing_else(heap: str) -> None:
    read = read_model(f"{MODEL}(heap\n{heap}\n)", read_script(DECLARED))
    assert read.heap is None
    assert not read.unreadable
    assert [symbol.name for symbol in read.definitions] == ["x"]


def test_there_is_no_heap_without_a_declaration() -> None:
    script = read_script("(declare-const x Int)")
    assert read_model("(\n)\n(heap\nsep.emp\n(= (as sep.nil Int) 0)\n)", script).heap is None


def test_a_function_may_be_called_heap() -> None:
    script = read_script("(declare-fun heap (Int) Int)")
    text = "(function heap\n (type (-> int int))\n (= (heap 7) 8)\n (default 5))\n(= heap heap)"
    assert read_model("(model\n  (define-fun heap ((x Int)) Int 8)\n)", script).definitions
    assert read_model(text, script).heap is None
