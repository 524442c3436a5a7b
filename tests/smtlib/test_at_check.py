"""What is asserted at each check of a script."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_script, print_term, read_script
from falsum.smtlib.at_check import at_check, at_each_check, at_last_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import DeclareFun


def asserted(text: str) -> list[list[str]]:
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
        (f"{P}(push 1)(assert p)(reset-assertions){P}(assert (not p))(check-sat)", [["(not p)"]]),
        (f"{P}(assert p)(check-sat-using smt)(assert (not p))(check-sat)", [["p"], ["p", "(not p)"]]),
    ],
)
def test_asserted_at_each_check(text: str, expected: list[list[str]]) -> None:
    assert asserted(text) == expected


def test_declarations_of_popped_levels_are_gone() -> None:
    text = f"(push 1){P}(assert p)(check-sat)(pop 1)(declare-const p Int)(assert (= p 1))(check-sat)"
    first, second = at_each_check(read_script(text))
    assert len(first.commands) == 2
    assert len(second.commands) == 2


GLOBAL = "(set-option :global-declarations true)"


@pytest.mark.parametrize("away", ["(pop 1)", "(reset-assertions)"])
@pytest.mark.parametrize(
    ("assertion", "definitions", "values"),
    [
        ("(! p :named n)", ["(define-fun n () Bool p)"], (True, False)),
        ("(! (not p) :named |n|)", ["(define-fun n () Bool (not p))"], (False, True)),
        ("(and p (! (not p) :named n))", ["(define-fun n () Bool (not p))"], (False, True)),
        (
            "(and (! (not p) :named m) (! (not m) :named n))",
            ["(define-fun m () Bool (not p))", "(define-fun n () Bool (not (not p)))"],
            (True, False),
        ),
        (
            "(! (and p (! (not p) :named m)) :named n)",
            ["(define-fun m () Bool (not p))", "(define-fun n () Bool (and p (not p)))"],
            (False, False),
        ),
        (
            "(! (and (! (not p) :named m) m) :named n)",
            ["(define-fun m () Bool (not p))", "(define-fun n () Bool (and (not p) (not p)))"],
            (False, True),
        ),
        (
            "(! (! p :named m) :named n)",
            ["(define-fun m () Bool p)", "(define-fun n () Bool p)"],
            (True, False),
        ),
    ],
)
def test_global_names_outlive_the_assertion_that_gives_them(
    away: str, assertion: str, definitions: list[str], values: tuple[bool, bool]
) -> None:
    text = f"{GLOBAL}(push 1){P}(assert {assertion}){away}(assert n)(check-sat)"
    flat = at_last_check(read_script(text))
    assert flat is not None
    commands = print_script(flat).splitlines()
    assert [line for line in commands if line.startswith("(define-fun")] == definitions
    assert [print_term(term) for term in flat.assertions] == ["n"]
    held = [
        truths(flat, read_model(f"((define-fun p () Bool {value}))", flat)) for value in ("true", "false")
    ]
    assert held == [[value] for value in values]


def test_names_are_local_without_the_option() -> None:
    text = f"{P}(push 1)(assert (! p :named n))(pop 1)(assert p)(check-sat)"
    flat = at_last_check(read_script(text))
    assert flat is not None
    assert "define-fun" not in print_script(flat)


def test_one_check() -> None:
    script = read_script(f"{P}(assert p)(check-sat)(check-sat-assuming ((not p)))")
    first, second = at_each_check(script)
    assert (at_check(script, 0), at_check(script, 1), at_check(script, 2)) == (first, second, None)
    assert at_last_check(script) == second
    assert at_last_check(read_script(P)) is None


def test_declarations_may_be_kept_beyond_their_level() -> None:
    script = read_script(f"{P}(push 1){Q}(assert q)(pop 1)(assert p)(check-sat)")
    flat = at_last_check(script, keep_declarations=True)
    assert flat is not None
    assert [c.function.name for c in flat.commands if isinstance(c, DeclareFun)] == ["p", "q"]
    assert len(flat.assertions) == 1
