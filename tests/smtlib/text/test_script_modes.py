"""Script modes: the same question in other words."""

from __future__ import annotations

import pytest

from falsum.smtlib.text.command_text import CommandText, split_commands
from falsum.smtlib.text.script_modes import MEANINGS, MODES, in_mode

SCRIPT = """(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (bvult x #x05))
(declare-const y (_ BitVec 8))
(assert (= (bvadd x y) #x02))
(check-sat)
"""


def commands_of(script: str) -> list[CommandText]:
    return [command for command in split_commands(script)[0] if command.name]


def text(script: str, mode: str, *, keeps_declarations: bool = False) -> list[str] | None:
    made = in_mode(commands_of(script), mode, keeps_declarations=keeps_declarations)
    return None if made is None else [command.text for command in made]


def test_push() -> None:
    assert text(SCRIPT, "push") == [
        "(set-logic QF_BV)", "(declare-const x (_ BitVec 8))", "(push 1)", "(assert (bvult x #x05))",
        "(declare-const y (_ BitVec 8))", "(assert (= (bvadd x y) #x02))", "(check-sat)",
    ]  # fmt: skip


def test_split() -> None:
    assert text(SCRIPT, "split") == [
        "(set-logic QF_BV)", "(declare-const x (_ BitVec 8))", "(declare-const y (_ BitVec 8))",
        "(assert (bvult x #x05))", "(push 1)", "(assert (= (bvadd x y) #x02))", "(check-sat)", "(pop 1)",
        "(assert (= (bvadd x y) #x02))", "(check-sat)",
    ]  # fmt: skip


def test_assuming() -> None:
    assert text(SCRIPT, "assuming") == [
        "(set-logic QF_BV)", "(declare-const x (_ BitVec 8))", "(declare-const falsum!assumed!1 Bool)",
        "(assert (=> falsum!assumed!1 (bvult x #x05)))", "(declare-const y (_ BitVec 8))",
        "(declare-const falsum!assumed!2 Bool)",
        "(assert (=> falsum!assumed!2 (= (bvadd x y) #x02)))",
        "(check-sat-assuming (falsum!assumed!1 falsum!assumed!2))",
    ]  # fmt: skip


@pytest.mark.parametrize("keeps_declarations", [False, True])
def test_again(keeps_declarations: bool) -> None:
    whole = [command.text for command in commands_of(SCRIPT)]
    second = [line for line in whole[1:] if not (keeps_declarations and "declare" in line)]
    made = text(SCRIPT, "again", keeps_declarations=keeps_declarations)
    assert made == [*whole, "(reset-assertions)", *second]


@pytest.mark.parametrize(
    ("script", "modes"),
    [
        (SCRIPT.replace("(check-sat)", "(push 1)(check-sat)(pop 1)(check-sat)"), {"push"}),
        (SCRIPT.replace("(check-sat)", "(check-sat)(check-sat)"), {"push", "assuming"}),
        (SCRIPT.replace("(bvult x #x05)", "(! (bvult x #x05) :named a)"), {"push"}),
        ("(check-sat)", {"assuming"}),
        ("(declare-const x Int)(check-sat)(assert (> x 1))", {"push", "assuming"}),
    ],
)
def test_not_every_script_can_be_asked_in_every_mode(script: str, modes: set[str]) -> None:
    assert {mode for mode in MODES if text(script, mode) is not None} == modes


@pytest.mark.parametrize("mode", MODES)
def test_assertions_and_checks_count_once(mode: str) -> None:
    made = in_mode(commands_of(SCRIPT), mode)
    assert made is not None
    assert sum(command.name == "assert" for command in made) == 2
    assert sum(command.name.startswith("check-sat") for command in made) == 1


def test_every_mode_has_a_meaning_for_reports() -> None:
    assert set(MEANINGS) == set(MODES)
