"""Large inputs: nesting 10,000 deep and 100 kB, in a time that follows their size."""

from __future__ import annotations

import pytest

from falsum.reducer import Budget, reduce
from falsum.reducer.apply import apply
from falsum.reducer.layers import layers_of
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL
from falsum.smtlib import read_script

DEEP = 10_000


def nested(opening: str, inner: str, deep: int) -> str:
    return opening * deep + inner + ")" * deep


def lets(deep: int) -> str:
    bindings = "".join(f"(let ((x{n + 1} (+ x{n} x{n}))) " for n in range(deep))
    return f"(declare-fun x0 () Int)(assert {bindings}(= x{deep} 0){')' * deep})(check-sat)"


def quantifiers(deep: int) -> str:
    bindings = "".join(f"(forall ((x{n + 1} Int)) (or (= x{n} x{n + 1}) " for n in range(deep))
    return f"(declare-fun x0 () Int)(assert {bindings}true{'))' * deep})(check-sat)"


def large(deep: int) -> dict[str, str]:
    p, x = "(declare-fun p () Bool)", "(declare-fun x () Int)"
    return {
        "not": f"{p}(assert {nested('(not ', 'p', deep)})(check-sat)",
        "plus": f"{x}(assert (= x {nested('(+ 1 ', 'x', deep)}))(check-sat)",
        "ite": f"{p}{x}(assert (= 0 {nested('(ite p x ', 'x', deep)}))(check-sat)",
        "let": lets(deep),
        "forall": quantifiers(deep),
    }


LARGE = large(DEEP)
SOME = large(DEEP // 10)


@pytest.mark.parametrize("name", SOME)
def test_every_pass_copes(name: str) -> None:
    outline = Outline(read_script(SOME[name]))
    for one in ALL:
        for layer in list(layers_of(outline, one.edits(outline)))[:2]:
            apply(outline, layer)
            apply(outline, layer[:1])


@pytest.mark.parametrize(
    ("name", "word", "length"),
    [("not", "(not ", 60), ("plus", "(+ ", 60), ("ite", "(ite ", 60)],
)
def test_deep_terms_become_small(name: str, word: str, length: int) -> None:
    result = reduce(
        read_script(LARGE[name]), lambda text: word in text and "(assert" in text, budget=Budget(tests=300)
    )
    assert len(result.text) <= length
