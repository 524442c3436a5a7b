"""Scripts as text, cut into commands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from falsum.smtlib.text.command_text import _scan, split_commands, until_check


def test_commands_have_names_and_join_to_the_script() -> None:
    text = '; a\n(set-info :x "(a) ""b")( assert |(|) rest (check-sat'
    commands, balanced = split_commands(text)
    assert [command.name for command in commands] == ["", "set-info", "assert", "", ""]
    assert "".join(command.text for command in commands) == text
    assert not balanced


@given(st.text(alphabet='()|";\n ab', max_size=40) | st.text(alphabet='(\n)"|', max_size=40))
def test_splitting_line_by_line_makes_no_difference(text: str) -> None:
    commands, balanced = split_commands(text)
    assert (tuple(commands), balanced) == _scan(text)


def test_until_check() -> None:
    text = "(declare-const p Bool) ; (check-sat)\n(check-sat)(push 1)(check-sat-assuming (p))(exit)"
    assert until_check(text, 0) == "(declare-const p Bool) ; (check-sat)\n(check-sat)"
    assert until_check(text, 1).endswith("(check-sat-assuming (p))")
    assert until_check(text, 7) == text
