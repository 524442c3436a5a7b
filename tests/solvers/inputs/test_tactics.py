"""Tactic terms: what is known may be sent, and nothing else."""

from __future__ import annotations

import pytest

from falsum.smtlib.text.lexer import chunks
from falsum.solvers.inputs.tactics import is_harmless


def tokens(text: str) -> list[str]:
    return [token for chunk in chunks(text) for token in chunk.tokens if token]


@pytest.mark.parametrize(
    ("term", "known"),
    [
        ("smt", True),
        ("(then simplify smt)", True),
        ("(and-then simplify (or-else (try-for sat 100) smt))", True),
        ("(par-or smt (using-params sat :random_seed 3))", True),
        ("(if (and is-qfbv (> num-consts 3.5)) sat (repeat simplify 5))", True),
        ("(! smt :timeout 3)", True),
        ('(echo "unsat")', False),
        ("(echo unsat)", False),
        ("(then (echo x) smt)", False),
        ("fail", False),
        ("(then smt fail)", False),
        ("(fail-if is-qfbv)", False),
        ("fail-if-undecided", False),
        ("no-such-tactic", False),
        ("(no-such-combinator smt)", False),
        ("|smt|", False),
        ('"smt"', False),
        ("((then smt) smt)", False),
        ("-1", False),
    ],
)
def test_only_known_terms_are_harmless(term: str, *, known: bool) -> None:
    assert is_harmless(["(", *tokens(term), ")"][1:-1]) is known
