"""An edit that failed is recognised in other scripts, wherever its terms stand."""

from __future__ import annotations

import pytest

from falsum.reducer.edit_keys import edit_key
from falsum.reducer.edits import ChangeHead, Compound, Edit, Hoist, Omit, ReplaceCommand, ReplaceTerm, Splice
from falsum.reducer.outline import Outline
from falsum.smtlib import read_script
from falsum.smtlib.printing.values_as_terms import write_value
from falsum.smtlib.sorts import INT
from falsum.smtlib.terms import App, Function, constant

ZERO = write_value(INT, 0)
SHORT = Outline(read_script("(declare-const x Int)(assert (> (+ x 1 2) 3))"))
LONG = Outline(read_script("(declare-const x Int)(assert (= x 1))(assert (> (+ x 1 2) 3))"))


def places(outline: Outline) -> tuple[int, int]:
    """The places of `(+ x 1 2)` and of its second argument."""
    (place,) = (n for n, node in enumerate(outline.nodes) if isinstance(node, App) and node.head.text == "+")
    return place, place + 2


def edits(outline: Outline, name: str) -> list[Edit]:
    place, inner = places(outline)
    less = next(node for node in outline.nodes if isinstance(node, App) and node.head.text == ">").head
    new = Function(name, (), INT)
    replaced = ReplaceTerm(place, ZERO)
    return [
        replaced,
        ReplaceTerm(place, constant(new), (new,)),
        Hoist(place, inner),
        Omit(inner),
        ChangeHead(place - 1, less),
        Compound((replaced, Omit(inner))),
        ReplaceCommand(outline.commands[-1]),
    ]


@pytest.mark.parametrize("number", range(7))
def test_the_same_edit_has_the_same_key_in_another_script(number: int) -> None:
    # The name of a new constant makes no difference.
    short, long = edits(SHORT, "v1")[number], edits(LONG, "v2")[number]
    assert edit_key(SHORT, short) == edit_key(LONG, long)


def test_different_edits_have_different_keys() -> None:
    keys = [edit_key(SHORT, edit) for edit in edits(SHORT, "v1")]
    assert len(set(keys)) == len(keys)


def test_to_omit_an_argument_and_to_splice_it_is_one_edit() -> None:
    _, inner = places(SHORT)
    assert edit_key(SHORT, Omit(inner)) == edit_key(SHORT, Splice(inner))
