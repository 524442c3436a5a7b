from __future__ import annotations

import pytest
from tests.smtlib.laws.test_match import term

from falsum.smtlib.laws import law_index


@pytest.mark.parametrize(
    ("operator", "expected"),
    [("<", ">="), (">=", "<"), ("bvsle", "bvsgt"), ("=", "distinct"), ("distinct", "="), ("fp.lt", None)],
)
def test_negation(operator: str, expected: str | None) -> None:
    assert law_index().negation(operator) == expected


def test_commutative() -> None:
    yes = "and or xor = distinct + * bvadd bvmul bvnand bvcomp bvsaddo fp.add fp.mul fp.eq"
    yes += " re.union set.inter ff.mul"
    # fp.min may pick either zero, by the order of its arguments.
    no = "=> - div bvsub bvudiv concat fp.sub fp.div fp.min fp.max fp.rem str.++ re.++ set.minus bvssubo"
    assert [name for name in yes.split() if not law_index().is_commutative(name)] == []
    assert [name for name in no.split() if law_index().is_commutative(name)] == []


def test_laws_at_an_operator() -> None:
    names = {(law.name, side) for law, side in law_index().laws_at(term("(bvadd b c)"))}
    assert ("bvadd-commutes", "left") in names
    assert ("bvsub-as-bvadd", "right") in names
    assert ("bvadd-zero", "right") in names  # a variable matches anything
    assert ("bvmul-commutes", "left") not in names
