from __future__ import annotations

import pytest
from tests.smtlib.laws.test_match import term

from falsum.smtlib.laws import law_index
from falsum.smtlib.sorts import INT, STRING, Sort, bitvec, floating_point
from falsum.smtlib.theories import OPERATORS


@pytest.mark.parametrize(
    ("operator", "sort", "expected"),
    [
        ("=", INT, {"<=", ">="}),
        ("=", bitvec(8), {"bvule", "bvuge", "bvsle", "bvsge"}),
        ("=", STRING, {"str.prefixof", "str.suffixof", "str.contains", "str.<="}),
        ("=", floating_point(3, 5), set()),  # NaN = NaN, but not NaN <= NaN
        ("<", None, {"<=", "distinct"}),
        ("bvult", None, {"bvule", "distinct", "bvusubo"}),
        ("bvsgt", None, {"bvsge", "distinct"}),
        ("fp.eq", None, {"fp.leq", "fp.geq"}),
        ("fp.gt", None, {"fp.geq", "distinct"}),
        ("str.prefixof", None, {"str.<="}),
        ("and", None, {"or", "=", "=>"}),
        ("bvsdivo", None, {"bvsmulo"}),
    ],
)
def test_weaker(operator: str, sort: Sort | None, expected: set[str]) -> None:
    assert set(law_index().weaker(operator, sort)) == expected


def test_stronger_is_weaker_turned_round() -> None:
    assert set(law_index().stronger("<=", INT)) == {"<", "="}
    assert set(law_index().stronger("distinct", INT)) == {"<", ">"}
    assert "set.subset" not in law_index().stronger("set.subset")
    for operator in OPERATORS:
        for other in law_index().weaker(operator):
            assert operator in law_index().stronger(other)


@pytest.mark.parametrize(
    ("operator", "expected"),
    [("<", ">="), (">=", "<"), ("bvsle", "bvsgt"), ("=", "distinct"), ("distinct", "="), ("fp.lt", None)],
)
def test_negation(operator: str, expected: str | None) -> None:
    assert law_index().negation(operator) == expected


@pytest.mark.parametrize(
    ("operator", "expected"),
    [("<", ">"), ("bvuge", "bvule"), ("fp.leq", "fp.geq"), ("=", "="), ("str.<", None), ("bvsub", None)],
)
def test_swapped(operator: str, expected: str | None) -> None:
    assert law_index().swapped(operator) == expected


def test_commutative() -> None:
    yes = "and or xor = distinct + * bvadd bvmul bvnand bvcomp bvsaddo fp.add fp.mul fp.eq"
    yes += " re.union set.inter ff.mul"
    # fp.min may pick either zero, by the order of its arguments.
    no = "=> - div bvsub bvudiv concat fp.sub fp.div fp.min fp.max fp.rem str.++ re.++ set.minus bvssubo"
    assert [name for name in yes.split() if not law_index().is_commutative(name)] == []
    assert [name for name in no.split() if law_index().is_commutative(name)] == []


def test_siblings() -> None:
    assert set(law_index().siblings("<")) == {"<=", ">", ">="}
    assert "bvurem" in law_index().siblings("bvadd")
    assert "str.indexof" not in law_index().siblings("str.len")
    assert set(law_index().siblings("=", (INT, INT))) == {"distinct", "<", "<=", ">", ">="}
    assert law_index().siblings("=", (INT, STRING)) == ()
    assert set(law_index().siblings("implies")) == set(law_index().siblings("=>")) == {"and", "or", "xor"}


def test_laws_at_an_operator() -> None:
    names = {(law.name, side) for law, side in law_index().laws_at(term("(bvadd b c)"))}
    assert ("bvadd-commutes", "left") in names
    assert ("bvsub-as-bvadd", "right") in names
    assert ("bvadd-zero", "right") in names  # a variable matches anything
    assert ("bvmul-commutes", "left") not in names
