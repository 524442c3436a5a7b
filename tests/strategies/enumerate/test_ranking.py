"""Formulas by number: each once, none twice, all that there are."""

from __future__ import annotations

import pytest

from falsum.smtlib.sorts import BOOL, INT
from falsum.strategies.enumerate.ranking import FormulaSpace
from falsum.strategies.growth import Grammar, TermTemplate, Theme
from falsum.strategies.growth.grammar import grammar_of

# Terms: variables i, j, …, 0 and 1, and sums; formulas: comparisons of two terms, and negations.
SUM = TermTemplate(("(+ ", INT, " ", INT, ")"), commutes=True)
LESS = TermTemplate(("(< ", INT, " ", INT, ")"))
NOT = TermTemplate(("(not ", BOOL, ")"))
GRAMMAR = Grammar(
    Theme("QF_LIA", (INT,)),
    {BOOL: ("true", "false"), INT: ("0", "1", "2")},
    {BOOL: ((LESS,),), INT: ((SUM,),)},
    ((NOT,),),
    {BOOL: "p", INT: "i"},
)


def formulas(space: FormulaSpace, size: int) -> list[str]:
    return [space.formula(size, number)[0] for number in range(space.count(size))]


@pytest.mark.parametrize("ground", [False, True])
@pytest.mark.parametrize("size", range(1, 6))
def test_every_number_has_a_formula_of_its_own(size: int, *, ground: bool) -> None:
    space = FormulaSpace(GRAMMAR, 2, 2, ground=ground)
    made = formulas(space, size)
    assert len(set(made)) == len(made)
    with pytest.raises(IndexError):
        space.formula(size, len(made))


def test_the_formulas_of_three_symbols_by_hand() -> None:
    """With one variable and one constant, up to the names of variables."""
    assert set(formulas(FormulaSpace(GRAMMAR, 1, 1, ground=True), 3)) == {
        "(< i0 i0)", "(< i0 0)", "(< 0 i0)", "(< 0 0)", "(not (not p0))",
    }  # fmt: skip
    assert "(< 0 0)" not in formulas(FormulaSpace(GRAMMAR, 1, 1), 3)
    two = formulas(FormulaSpace(GRAMMAR, 2, 0), 3)
    assert sorted(two) == ["(< i0 i0)", "(< i0 i1)", "(not (not p0))"]  # not (< i1 i0), which is the same


def test_sums_that_differ_in_their_order_only_are_one() -> None:
    made = formulas(FormulaSpace(GRAMMAR, 2, 1), 5)
    assert ("(< (+ i0 0) i0)" in made) != ("(< (+ 0 i0) i0)" in made)


def test_the_variables_of_a_formula_come_with_it() -> None:
    space = FormulaSpace(GRAMMAR, 2, 0)
    text, variables = space.formula(3, formulas(space, 3).index("(< i0 i1)"))
    assert text == "(< i0 i1)"
    assert variables == {"i0": INT, "i1": INT}


def test_the_grammar_of_a_theory_has_as_many_formulas_as_it_says() -> None:
    space = FormulaSpace(grammar_of(Theme("QF_LIA", (INT,)), 2), 1, 1)
    for size in (1, 2, 3):
        assert len(set(formulas(space, size))) == space.count(size)
