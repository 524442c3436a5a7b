"""Scripts as text, cut into commands."""

from __future__ import annotations

from falsum.smtlib.text.command_text import split_commands, until_check


def test_commands_have_names_and_join_to_the_script() -> None:
    text = '; a\n(set-info :x "(a) ""b")( assert |(|) rest (check-sat'
    commands, balanced = split_commands(text)
    assert [command.name for command in commands] == ["", "set-info", "assert", "", ""]
    assert "".join(command.text for command in commands) == text
    assert not balanced


def test_until_check() -> None:
    text = "(declare-const p Bool) ; (check-sat)\n(check-sat)(push 1)(check-sat-assuming (p))(exit)"
    assert until_check(text, 0) == "(declare-const p Bool) ; (check-sat)\n(check-sat)"
    assert until_check(text, 1).endswith("(check-sat-assuming (p))")
    assert until_check(text, 7) == text
