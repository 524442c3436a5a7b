"""What commands contain, declare and need."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_script, print_term, read_script
from falsum.smtlib.maps.command_terms import declared_by, is_closed, terms_of, used_by, with_terms
from falsum.smtlib.scripts import Command, Script
from falsum.smtlib.terms import Function

DECLARED = (
    "(declare-sort S 0)(declare-datatypes ((L 0)) (((nil) (cons (head S)))))"
    "(declare-const s S)(declare-const x Int)"
)


def last(text: str) -> Command:
    return read_script(DECLARED + text).commands[-1]


def names(keys: object) -> list[str]:
    assert isinstance(keys, tuple | dict)
    return [key.name if isinstance(key, Function) else key for key in keys]


@pytest.mark.parametrize(
    ("command", "terms", "declared", "used"),
    [
        ("(assert (! (> x 0) :named a))", ["(! (> x 0) :named a)"], ["a"], ["x", "Bool", "Int"]),
        ("(define-fun f ((n Int)) Int (+ n x))", ["(+ n x)"], ["f"], ["x", "Int"]),
        ("(declare-fun g (S) Bool)", [], ["g"], ["S", "Bool"]),
        ("(check-sat-assuming ((> x 0)))", ["(> x 0)"], [], ["x", "Bool", "Int"]),
        ("(get-value (x (cons s)))", ["x", "(cons s)"], [], ["x", "s", "Int", "L", "S"]),
        ("(declare-datatype M ((m (of L))))", [], ["M"], ["L"]),
        ("(check-sat)", [], [], []),
    ],
)
def test_terms_and_symbols(command: str, terms: list[str], declared: list[str], used: list[str]) -> None:
    read = last(command)
    assert [print_term(term) for term in terms_of(read)] == terms
    assert names(declared_by(read)) == declared
    assert sorted(names(used_by(read))) == sorted(used)
    same = print_script(Script((with_terms(read, terms_of(read)),)))
    assert same == print_script(Script((read,)))


@pytest.mark.parametrize(
    ("drop", "closed"),
    [((), True), ((0,), False), ((1,), False), ((2,), False), ((3,), False), ((4, 5), True), ((6,), True)],
)
def test_a_script_is_closed_if_everything_is_declared_before_it_is_used(
    drop: tuple[int, ...], *, closed: bool
) -> None:
    script = read_script(f"{DECLARED}(push 1)(pop 1)(assert (and (= (cons s) nil) (> x 0)))(check-sat)")
    assert is_closed(Script(tuple(c for n, c in enumerate(script.commands) if n not in drop))) is closed


def test_what_a_pop_removes_is_not_in_scope() -> None:
    script = read_script("(push 1)(declare-const p Bool)(pop 1)(declare-const p Bool)(assert p)")
    assert is_closed(script)
    assert not is_closed(Script((*script.commands[:3], script.commands[4])))
    assert not is_closed(Script(script.commands[2:]))  # a pop without its push
