"""The scope after commands."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.syntax.final_scope import scope_after, scope_of_all
from falsum.smtlib.syntax.scope import Scope

GLOBAL = "(set-option :global-declarations true)"
X = "(declare-const x Int)"


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        (X, True),
        (f"(push 1){X}(pop 1)", False),
        (f"{GLOBAL}(push 1){X}(pop 1)", True),
        (f"{X}(reset-assertions)", False),
        (f"{GLOBAL}{X}(reset-assertions)", True),
        (f"{GLOBAL}{X}(reset)", False),
    ],
)
def test_what_is_known_after_the_last_command(text: str, is_known: bool) -> None:
    script = read_script(text)
    assert bool(scope_after(script.commands, Scope()).functions("x")) is is_known
    assert scope_of_all(script).functions("x")


def test_only_a_reset_removes_the_logic() -> None:
    def reals_only(text: str) -> bool:
        return scope_after(read_script(text).commands, Scope()).reals_only

    assert reals_only("(set-logic QF_LRA)(reset-assertions)")
    assert not reals_only("(set-logic QF_LRA)(reset)")
