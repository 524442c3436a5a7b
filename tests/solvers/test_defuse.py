"""Hostile scripts: what is taken out, what stays, and what is recorded."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falsum.smtlib.command_text import split_commands
from falsum.solvers.defuse import defuse

HOSTILE = [
    ('(set-option :regular-output-channel "/etc/passwd")(check-sat)', "(check-sat)"),
    ('(set-option :diagnostic-output-channel "x")(check-sat)', "(check-sat)"),
    ("(set-option :regular-output-channel stdout)(check-sat)", "(check-sat)"),
    ("(set-option :out x)(check-sat)", "(check-sat)"),
    ('(set-option :trace_file_name "t.log")(check-sat)', "(check-sat)"),
    ("(set-option :solver.smtlib2_log /home/me/.profile)(check-sat)", "(check-sat)"),
    ("(set-option :dump-to |/home/me/x|)(check-sat)", "(check-sat)"),
    ('(include "/etc/passwd")(check-sat)', "(check-sat)"),
    ('(echo "sat")(check-sat)', "(check-sat)"),
    ('( echo "a ""quoted"" ) word")(check-sat)', "(check-sat)"),
    ("(check-sat)(exit)(check-sat)", "(check-sat)"),
    ("(exit", "(exit"),
    ("(check-sat)(reset)(check-sat)", "(check-sat)"),
    ("(assert false)(reset)(check-sat)", "(check-sat)"),
    ("(check-sat)(exit)(((", "(check-sat)"),
]

HARMLESS = [
    "(set-option :produce-models true)(check-sat)",
    '(assert (= s "(exit)"))(check-sat)',
    "(declare-const |(reset)| Bool)(check-sat)",
    "(declare-const echo1 Bool)(assert echo1)(check-sat)",
    "; (exit)\n(check-sat)",
    '(assert (= s "a""b(exit)"))',
    "(reset-assertions)(check-sat)",
    '(set-info :source |(include "x")|)(check-sat)',
]


@pytest.mark.parametrize(("script", "left"), HOSTILE)
def test_hostile_commands_are_taken_out_and_recorded(script: str, left: str) -> None:
    defused = defuse(script)
    assert defused.text == left
    assert bool(defused.changes) == (left != script)


@pytest.mark.parametrize("script", HARMLESS)
def test_harmless_scripts_stay_as_they_are(script: str) -> None:
    defused = defuse(script)
    assert defused.text == script
    assert defused.changes == ()
    assert defused.balanced


@pytest.mark.parametrize("script", ["(assert", '(assert "a)', "(assert |a)", ")", "(a))(b", '"', "(a) |"])
def test_what_never_ends_is_told(script: str) -> None:
    assert not defuse(script).balanced
    assert defuse(script).text == script


@given(st.text(alphabet='()"|; \nabexit', max_size=60))
def test_pieces_make_the_script_again(script: str) -> None:
    assert "".join(piece.text for piece in split_commands(script)[0]) == script


def test_deep_and_long_scripts_take_linear_time() -> None:
    started = time.process_time()
    defuse("(" * 500_000 + ")" * 500_000 + '(echo "x")')
    defuse('"' * 300_001 + "|" * 300_001 + "(exit)")
    assert time.process_time() - started < 5.0
