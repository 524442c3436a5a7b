"""S-expressions as nested tuples, and the items of what a solver prints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falsum.smtlib.text.sexpr import SExpr, items, read, write

EXPRESSIONS: st.SearchStrategy[SExpr] = st.recursive(
    st.sampled_from(["a", "|b c|", '"d e"', "5"]), lambda parts: st.lists(parts, max_size=4).map(tuple)
)


def tokens_of(expression: SExpr) -> list[str]:
    if isinstance(expression, str):
        return [expression]
    return ["(", *(token for part in expression for token in tokens_of(part)), ")"]


@given(st.lists(EXPRESSIONS, max_size=4))
def test_what_is_read_is_what_was_there(expressions: list[SExpr]) -> None:
    assert read(token for each in expressions for token in tokens_of(each)) == expressions


@pytest.mark.parametrize(
    ("expression", "text"),
    [("a", "a"), ((), "()"), (("a", ("b", ()), "c"), "(a (b ()) c)"), ((("a",), "b"), "((a) b)")],
)
def test_written_with_single_spaces(expression: SExpr, text: str) -> None:
    assert write(expression) == text


@pytest.mark.parametrize(("tokens", "message"), [("( a", "missing closing"), ("a )", "unmatched closing")])
def test_unbalanced_tokens_are_refused(tokens: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(tokens.split())


def test_deep_nesting_is_read_and_written() -> None:
    depth = 100_000
    (expression,) = read(["("] * depth + [")"] * depth)
    assert write(expression) == "(" * depth + ")" * depth


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("sat\n(model\n (a))\nunsat", ["sat", "(model\n (a))", "unsat"]),
        ('(error "line 1 (x")\nsat', ['(error "line 1 (x")', "sat"]),
        ("(a |)| b) (c)", ["(a |)| b)", "(c)"]),
        ("sat ) unsat", ["sat ) unsat"]),  # a closing parenthesis too many is text
        ("sat\n(never closed\nunsat", ["sat"]),
        ('sat\n(a "never closed)\nunsat', ["sat"]),
    ],
)
def test_items_of_an_output(output: str, expected: list[str]) -> None:
    assert list(items(output)) == expected
