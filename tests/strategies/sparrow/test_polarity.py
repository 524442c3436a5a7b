"""The polarity of each place, through connectives, lets, names and binders."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.occurrences import Polarity
from falsum.smtlib.printing.layout import Layout
from falsum.strategies.sparrow.polarity import polarities

P, N, B = Polarity.POSITIVE, Polarity.NEGATIVE, Polarity.BOTH
DECLARED = "".join(f"(declare-const {name} Bool)" for name in "pqrs")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(and p (or q (not r)))", {"p": [P], "q": [P], "r": [N]}),
        ("(=> p q r)", {"p": [N], "q": [N], "r": [P]}),
        ("(not (=> p (not q)))", {"p": [P], "q": [P]}),
        ("(ite p q (not r))", {"p": [B], "q": [P], "r": [N]}),
        ("(xor p q)", {"p": [B], "q": [B]}),
        ("(= p (not q))", {"p": [B], "q": [B]}),
        ("(let ((a p)) (or a q))", {"p": [P], "q": [P]}),
        ("(let ((a p)) (not a))", {"p": [N]}),
        ("(let ((a p)) (or a (not a)))", {"p": [B]}),
        ("(let ((a p)) (let ((b a)) (not b)))", {"p": [N]}),
        ("(let ((a p)) (let ((a q)) (not a)))", {"p": [P], "q": [N]}),  # a value that is not used
        ("(forall ((a Bool)) (or a (not p)))", {"p": [N]}),
        ("(and (! p :named n) (not n) q)", {"p": [B], "q": [P]}),
        ("(and (! p :named n) q)", {"p": [P], "q": [P]}),  # nobody uses the name
    ],
)
def test_polarities_of_an_assertion(formula: str, expected: dict[str, list[Polarity]]) -> None:
    script = read_script(f"{DECLARED}(assert {formula})")
    layout = Layout.of(script)
    seen: dict[str, list[Polarity]] = {}
    for place, polarity in zip(layout.places, polarities(layout, script), strict=True):
        seen.setdefault(print_term(place.term), []).append(polarity)
    assert {name: seen[name] for name in expected} == expected


def test_in_a_definition_nothing_is_known() -> None:
    script = read_script(f"{DECLARED}(define-fun f () Bool (not p))(assert f)")
    layout = Layout.of(script)
    assert polarities(layout, script)[:2] == [B, B]
