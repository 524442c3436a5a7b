"""fuzzchick: one expression of the seed in the place of another of its sort, within its scope."""

from __future__ import annotations

from random import Random

import pytest
from tests.strategies.drawn import draw

from falsum.smtlib import print_term, read_script
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.strategies import Seed
from falsum.strategies.fuzzchick import FuzzChick

SEED = Seed(
    "s",
    "(set-logic LIA)(declare-const x Int)(declare-const p Bool)"
    "(assert (< (+ x 7) 3))(assert (or p (forall ((k Int)) (> k x))))(check-sat)",
)


def terms_of(text: str) -> set[str]:
    return {print_term(part) for term in read_script(text).assertions for part in subterms(term)}


def test_only_expressions_of_the_seed_come_in() -> None:
    own = terms_of(SEED.text)
    for mutant in draw(FuzzChick(), [SEED], 0, 200):
        (line,) = mutant.lineage
        old, new = line.split(": ", 1)[1].split(" -> ")
        assert {old, new} <= own
        assert old != new
        assert new in terms_of(mutant.text)


def test_every_mutant_is_well_sorted_and_no_variable_leaves_its_binder() -> None:
    for mutant in draw(FuzzChick(), [SEED], 1, 300):
        script = read_script(mutant.text)  # an unbound k would be an unknown symbol
        assert len(script.assertions) == 2


def test_a_bound_variable_is_used_inside_its_quantifier() -> None:
    inside = [m.text for m in draw(FuzzChick(), [SEED], 2, 300) if "(> k k)" in m.text or "(> x k)" in m.text]
    assert inside


def test_a_chain_goes_on_from_what_the_solver_accepts() -> None:
    chain = draw(FuzzChick(chain=4), [SEED], 3, 60, FakeLab({"s": lambda _text: "unknown"}))
    assert {len(mutant.lineage) for mutant in chain} == {1, 2, 3, 4}
    refusing = FakeLab({"s": lambda _text: Answer((), Ending(EndingKind.REJECTED))})
    assert {len(mutant.lineage) for mutant in draw(FuzzChick(chain=4), [SEED], 3, 60, refusing)} == {1}


@pytest.mark.parametrize(
    "text",
    [
        "(declare-const p Bool)(assert p)(check-sat)",
        "(push 1)(define-fun f () Int 1)(pop 1)(push 1)(define-fun f () Int 2)(assert (= f f))(check-sat)",
    ],
)
def test_a_seed_without_a_second_expression_has_no_mutants(text: str) -> None:
    assert next(iter(FuzzChick().mutants([Seed("s", text)], Random(0), None)), None) is None
