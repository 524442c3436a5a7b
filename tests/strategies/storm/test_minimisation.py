"""Minimisation by bounds: fewer assertions, fewer connectives, and still the bug."""

from __future__ import annotations

from random import Random

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.storm import Storm
from falsum.strategies.storm.fragments import fragments
from falsum.strategies.storm.minimisation import smallest_instance

STORM = Storm(incremental=0.0, unsat=0.0, tactics=0.0)
TEXT = "(declare-fun x () Int)(declare-fun y () Int)" + "".join(
    f"(assert (or (< x {n}) (and (> y {n}) (distinct x y {n})) (= (mod x {n + 1}) 0)))" for n in range(12)
)
SEED = Seed("seed", f"{TEXT}(check-sat)")


def shows(mutant: Mutant) -> bool:
    """A solver that is wrong about everything with a remainder and a conjunction."""
    return "(mod x 3)" in mutant.text and "(and " in mutant.text


def test_the_smallest_bounds_that_show_the_bug() -> None:
    large = next(m for m in STORM.mutants([SEED], Random(1), None) if shows(m) and len(m.text) > 3000)
    small = smallest_instance(STORM, Seed("instance", large.text), shows, Random(2), None)
    assert small is not None
    assert shows(small)
    assert len(small.text) < len(large.text) / 3
    script = read_script(small.text)
    assert len(script.assertions) <= 3
    assert max(fragment.depth for fragment in fragments(script, 64).usable) <= 4
    assert small.claim is not None
    assert small.claim.verdicts == (Verdict.SAT,)
    assert all(truths(script, read_model(small.claim.witness, script)))


def test_none_if_no_instance_shows_it() -> None:
    assert smallest_instance(STORM, SEED, lambda _: False, Random(1), None, 20) is None


def test_the_same_number_gives_the_same_instance() -> None:
    one, other = (smallest_instance(STORM, SEED, shows, Random(5), None, 40) for _ in range(2))
    assert one is not None
    assert one == other
