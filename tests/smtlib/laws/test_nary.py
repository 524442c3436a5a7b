"""What is said about many arguments holds for every operator: in pairs they are worth the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.laws import binary
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.samples import random_value
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import BOOL, INT, Bindings, Sort, bitvec, match, substitute
from falsum.smtlib.terms import Head, app, value
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.cannot_say import CannotSay

_SAMPLES = 60
# What sort variables and index variables stand for.
_SORTS = (INT, BOOL, bitvec(3), Sort("String"))
_NUMBERS = (3, 5)
# Bags, heaps and z3's regular expressions over other sequences have no values here.
_WITHOUT_VALUES = frozenset(["Bag", "RegEx"])


def _many() -> Iterator[tuple[Operator, Signature]]:
    for operator in OPERATORS.values():
        for signature in operator.signatures:
            valued = not _WITHOUT_VALUES & {arg.name for arg in signature.args} and operator.name != "sep"
            if signature.associativity and not signature.indices and valued:
                yield operator, signature


def _argument_sorts(signature: Signature) -> Iterator[Sort]:
    """Sorts of arguments that are all alike."""
    first, second = signature.args[-2:]
    for sort in _SORTS:
        for number in _NUMBERS:
            bindings: Bindings = dict.fromkeys("ABRSTXYE", sort) | dict.fromkeys("imnpes", number)
            made = substitute(first, bindings)
            if not made.is_pattern and match(second, made, dict(bindings)):
                yield made


@pytest.mark.parametrize(
    ("operator", "signature"), [pytest.param(*each, id=str(each[1])) for each in _many()]
)
def test_grouped_arguments_are_worth_the_same(operator: Operator, signature: Signature) -> None:
    rng, model = Random(7), Model()
    compared = 0
    for sort in dict.fromkeys(_argument_sorts(signature)):
        for _ in range(_SAMPLES):
            payloads = [random_value(sort, model, rng) for _ in range(rng.randint(3, 4))]
            if any(isinstance(payload, CannotSay) for payload in payloads):
                continue
            args = [value(sort, payload, f"v{place}") for place, payload in enumerate(payloads)]
            if signature.rank((), tuple(arg.sort for arg in args)) is None:
                continue
            whole = app(Head(operator), args)
            same = payload_of(app(Head(OPERATORS["="]), (whole, binary(whole))), model)
            if not isinstance(same, CannotSay):
                assert same, payloads
                compared += 1
    assert compared
