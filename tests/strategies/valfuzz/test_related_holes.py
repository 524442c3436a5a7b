"""Relations between holes: drawn by the campaign, kept with the coverage, others once all are done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random

from falsum.smtlib import print_term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.strategies import Seed
from falsum.strategies.valfuzz.strategy import CONFIGURATIONS, ValFuzz


def lab_of(**functions: Callable[[str], Answer]) -> FakeLab:
    return FakeLab(functions)


LISTING_1 = """(declare-fun x () String)
(declare-fun y () String)
(assert (str.in_re (str.++ x "c" y)
  (re.++ (re.* (str.to_re "c")) (re.union (str.to_re "a") (str.to_re "b")))))
(check-sat)
"""


def related_pairs(strategy: ValFuzz, number: int, memory: dict[str, str] | None = None) -> set[str]:
    made = strategy.coerce(Seed("seed", LISTING_1, memory), Random(number), None)
    assert made is not None
    return {print_term(m.term) for m in made.meta.monitors[made.meta.base :]}


def test_the_related_constants_are_drawn_by_the_campaign() -> None:
    """On Listing 1 of the thesis the bug needs relations between all four constants."""
    drawn = {number: related_pairs(ValFuzz(relc=3), number) for number in range(12)}
    assert set.union(*drawn.values()) == {f"(= h{i} h{j})" for i in range(1, 5) for j in range(i + 1, 5)}
    assert drawn[3] == related_pairs(ValFuzz(relc=3), 3)


def test_other_constants_are_related_once_all_targets_are_done() -> None:
    memory: dict[str, str] = {}
    strategy = replace(CONFIGURATIONS["relc3"], lazy=False)
    pairs: list[set[str]] = []
    unsat = Answer((Verdict.UNSAT,), FINISHED)
    for number in range(40):
        seed = strategy.coerce(Seed("s", LISTING_1, memory), Random(number), lab_of(one=lambda _: unsat))
        assert seed is not None
        pairs.append({print_term(m.term) for m in seed.meta.monitors[seed.meta.base :]})
        list(islice(seed.mutants(), 3))
        if seed.coverage.is_saturated:
            break
    assert len(set.union(*pairs)) == 6
    assert memory[strategy.name].startswith("saturated")
    assert pairs[0] == pairs[1]
