"""The definitions in the text of a model, whichever way a solver wraps them."""

from __future__ import annotations

import pytest

from falsum.errors import ScriptError
from falsum.smtlib.models.split_model import forms_of

X, Y = "(define-fun x () Int 1)", "(define-fun |y)| () Int 2)"


@pytest.mark.parametrize(
    "text",
    [
        f"sat\n(\n{X}\n{Y}\n)",
        f"(model {X} {Y})",
        f"{X}{Y}",
        f"({X})\n(\n  ; a comment with a )\n  {X}\n  {Y})",  # the last of two models
    ],
)
def test_definitions_with_their_places(text: str) -> None:
    forms = list(forms_of(text, "m"))
    assert [form.text for form in forms] == [X, Y]
    assert all(text[form.offset :].startswith(form.text) for form in forms)


def test_the_heap_stands_behind_the_model() -> None:
    heap = "(heap (pto 1 2))"
    assert [form.text for form in forms_of(f"({X})\n{heap}", "m")] == [X, heap]


@pytest.mark.parametrize("text", ["", "sat\n", "sat\n()", "; nothing"])
def test_a_model_of_nothing(text: str) -> None:
    assert list(forms_of(text, "m")) == []


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("no model here", "not a model", 1, 1),
        (f"(\n{X}\n", "missing closing parenthesis", 1, 1),
        (f"{X}\n)", "unmatched closing parenthesis", 2, 1),
    ],
)
def test_what_is_no_model(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(ScriptError, match=message) as caught:
        list(forms_of(text, "m"))
    assert (caught.value.line, caught.value.column) == (line, column)
