"""The contract of every operator of every theory, and random terms made of them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.generators import POOL, RULED, UNINTERPRETED, ranks, script_with, terms_of, wrapped

from falsum.errors import SortError
from falsum.smtlib import print_term, read_script
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import WithTerms
from falsum.smtlib.sorts import INT, Sort
from falsum.smtlib.terms import Function, Head, Term, app, constant
from falsum.smtlib.theories import ALL, OPERATORS, Theory

EVERY = [operator for theory in ALL for operator in theory.operators]
RELAXED = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def read_back(term: Term) -> Term:
    command = read_script(script_with(term)).commands[-1]
    assert isinstance(command, WithTerms)
    found = command.pieces[0]
    assert not isinstance(found, str)
    return found


def test_names_are_unique() -> None:
    names = [operator.name for operator in EVERY]
    assert len(names) == len(set(names))
    assert all(OPERATORS[operator.name] is operator for operator in EVERY)


def test_every_rule_has_an_example() -> None:
    ruled = {o.name for o in EVERY if o.alias_of is None and (o.rule is not None or not o.signatures)}
    assert ruled == set(RULED)


@pytest.mark.parametrize("operator", EVERY, ids=lambda o: o.name)
def test_contract(operator: Operator) -> None:
    assert operator.theory
    assert operator.signatures or operator.rule
    assert operator.expectation
    assert operator.canonical.alias_of is None
    accepted: list[tuple[Head, tuple[Sort, ...]]] = []

    @settings(RELAXED, max_examples=2)
    @given(st.data())
    def examples(data: st.DataObject) -> None:
        accepted.append(data.draw(ranks(operator)))
        term = data.draw(terms_of(operator, depth=0))
        assert read_back(term) is term

    examples()
    head, sorts = accepted[0]
    assert head.rank(sorts) is not None
    # No operator takes so many arguments of sorts nobody knows.
    wrong = [constant(Function("u", (), UNINTERPRETED)), *[constant(Function("i", (), INT))] * 40]
    if operator.canonical.name != "tuple":
        with pytest.raises(SortError):
            app(head, wrong)


@pytest.mark.parametrize("theory", ALL, ids=lambda t: t.name)
def test_random_terms_print_and_read_back(theory: Theory) -> None:
    @settings(RELAXED, max_examples=100)
    @given(st.data())
    def examples(data: st.DataObject) -> None:
        operator = data.draw(st.sampled_from(theory.operators))
        term = data.draw(wrapped(data.draw(terms_of(operator))))
        again = read_back(term)
        assert again is term, print_term(term)

    examples()


@pytest.mark.parametrize("theory", ALL, ids=lambda t: t.name)
def test_sort_rules_refuse_a_wrong_argument(theory: Theory) -> None:
    """An argument of a sort of its own fits nowhere but where any sort does."""
    alien = Sort("Alien")

    @settings(RELAXED, max_examples=100)
    @given(st.data())
    def examples(data: st.DataObject) -> None:
        operator = data.draw(st.sampled_from(theory.operators))
        head, sorts = data.draw(ranks(operator))
        assume(sorts)
        place = data.draw(st.integers(0, len(sorts) - 1))
        changed = (*sorts[:place], alien, *sorts[place + 1 :])
        refused = head.rank(changed) is None
        free = any(
            len(s.args) == len(sorts) and s.args[place].is_parameter and s.args.count(s.args[place]) == 1
            for s in operator.signatures
        )
        # A tuple takes anything; a chain of one argument of any sort does, too.
        assert refused or free or len(sorts) == 1 or operator.canonical.name == "tuple"

    examples()


def test_pool_has_no_alien() -> None:
    assert Sort("Alien") not in POOL
