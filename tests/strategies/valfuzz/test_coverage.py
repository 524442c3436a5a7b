"""The coverage of a seed is kept from visit to visit, until the seed is saturated."""

from __future__ import annotations

from itertools import islice
from random import Random

from tests.labs import live_lab

from falsum.strategies.mutant import SATURATED, Seed
from falsum.strategies.valfuzz import ValFuzz
from falsum.strategies.valfuzz.coverage import Coverage, MonitorTarget, TargetOutcome

TARGETS = tuple(MonitorTarget("", number, wanted) for number in range(3) for wanted in (True, False))
TEXT = """(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
(assert (< (+ x 1) y))(assert (or (= x 3) (> y 10)))(check-sat)"""


def test_a_memory_gives_the_coverage_back() -> None:
    one, other = Coverage(TARGETS, 3), Coverage(TARGETS, 3)
    for target, outcome in zip(TARGETS, TargetOutcome, strict=False):
        one.note(target, outcome)
    one.see(0, value=True)
    one.see(2, value=False)
    other.recall(one.memory)
    assert other.outcomes == one.outcomes
    assert other.seen == one.seen
    assert not one.memory.startswith(SATURATED)
    for target in TARGETS:
        one.note(target, TargetOutcome.SAT)
    assert one.memory.startswith(SATURATED)


def test_a_memory_of_another_meta_formula_is_dropped() -> None:
    one, other = Coverage(TARGETS[:4], 2), Coverage(TARGETS, 3)
    one.note(TARGETS[0], TargetOutcome.SAT)
    for memory in (one.memory, "", "nonsense", "open 9xyz.. 111111"):
        other.recall(memory)
    assert not other.outcomes


def test_visits_continue_until_the_seed_is_saturated() -> None:
    strategy = ValFuzz(multief=1, relc=2)
    memory: dict[str, str] = {}
    seed = Seed("s", TEXT, memory)
    texts: list[str] = []
    with live_lab("z3", seconds=2) as lab:
        for visit in range(40):
            mutants = [mutant.text for mutant in islice(strategy.mutants([seed], Random(visit), lab), 8)]
            texts += mutants
            if memory.get("valfuzz", "").startswith(SATURATED):
                break
        assert memory["valfuzz"].startswith(SATURATED)
        assert visit > 1
        assert list(strategy.mutants([seed], Random(99), lab)) == []
    # Enforcements of earlier visits do not come again, except the last one of a visit if it was cut short.
    tests = [text for text in texts if "(assert m" in text or "(assert (not m" in text]
    assert len(tests) - len(set(tests)) <= visit
    assert len(texts) > 30
