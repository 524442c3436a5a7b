"""Incremental scripts laid flat."""

from __future__ import annotations

import pytest

from falsum.oracles.in_force import at_each_check, until_check
from falsum.smtlib import print_term, read_script


def in_force(text: str) -> list[list[str]]:
    return [[print_term(term) for term in flat.assertions] for flat in at_each_check(read_script(text))]


P, Q = "(declare-const p Bool)", "(declare-const q Bool)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{P}(assert p)(check-sat)", [["p"]]),
        (f"{P}(assert p)", []),
        (f"{P}(assert p)(push 1)(assert (not p))(check-sat)(pop 1)(check-sat)", [["p", "(not p)"], ["p"]]),
        (f"{P}(push 2)(assert p)(pop 1)(check-sat)(pop 1)(check-sat)", [[], []]),
        (f"{P}(check-sat-assuming (p))(check-sat)", [["p"], []]),
        (f"{P}(assert p)(check-sat)(exit)(check-sat)", [["p"]]),
        (f"{P}(assert p)(reset){P}(check-sat)", [[]]),
        (f"{P}(assert p)(check-sat)(reset)(check-sat)", [["p"]]),
        (
            f"(set-option :global-declarations true){P}(push 1){Q}(assert q)(pop 1)(assert q)(check-sat)",
            [["q"]],
        ),
        (f"(set-option :global-declarations true){P}(assert p)(reset-assertions)(check-sat)", [[]]),
    ],
)
def test_in_force(text: str, expected: list[list[str]]) -> None:
    assert in_force(text) == expected


def test_declarations_of_popped_levels_are_gone() -> None:
    text = f"(push 1){P}(assert p)(check-sat)(pop 1)(declare-const p Int)(assert (= p 1))(check-sat)"
    first, second = at_each_check(read_script(text))
    assert len(first.commands) == 2
    assert len(second.commands) == 2


def test_until_check() -> None:
    text = f"{P} ; (check-sat)\n(check-sat)(push 1)(check-sat-assuming (p))(exit)"
    assert until_check(text, 0) == f"{P} ; (check-sat)\n(check-sat)"
    assert until_check(text, 1).endswith("(check-sat-assuming (p))")
    assert until_check(text, 7) == text
