"""Guidance: weighted choices, which without weights are as they were."""

from __future__ import annotations

from collections import Counter
from random import Random

from falsum.api.model.guidance import ACTION, OPERATOR, THEORY, Guidance, words_of
from falsum.api.model.state_machine import DEFAULT
from falsum.api.trace import OK, Line, Step, Trace
from falsum.api.walk import resolve_transitions

NAMES = ("bvadd", "bvmul", "bvxor")


def test_without_weights_choices_are_as_before() -> None:
    one, other = Random(1), Random(1)
    guidance = Guidance()
    assert [guidance.choice(OPERATOR, NAMES, NAMES, one) for _ in range(9)] == [
        other.choice(NAMES) for _ in range(9)
    ]
    assert guidance.sample(THEORY, NAMES, 2, one) == other.sample(NAMES, 2)


def test_weights_decide_how_often() -> None:
    guidance = Guidance({"operator bvadd": 4.0, "operator bvmul": 0.25, "theory bvxor": 4.0})
    rng = Random(1)
    counts = Counter(guidance.choice(OPERATOR, NAMES, NAMES, rng) for _ in range(2000))
    assert counts["bvadd"] > 3 * counts["bvxor"] > 6 * counts["bvmul"] > 0
    firsts = Counter(guidance.sample(THEORY, NAMES, 1, rng)[0] for _ in range(2000))
    assert firsts["bvxor"] > 2 * firsts["bvadd"] > 0
    assert sorted(guidance.sample(THEORY, NAMES, 3, rng)) == sorted(NAMES)


def test_actions_weigh_in_their_state() -> None:
    action = next(
        each.action for state in DEFAULT.states.values() for each in state.transitions if each.action
    )
    plain = resolve_transitions(DEFAULT)
    guided = resolve_transitions(DEFAULT, Guidance({f"{ACTION} {action}": 4.0}))
    changed = [name for name in plain if plain[name][0] != guided[name][0]]
    assert changed
    for name in changed:
        own = sum(each.weight for each in DEFAULT.states[name].transitions if each.action == action)
        assert round(guided[name][0][-1] - plain[name][0][-1], 6) == round(3 * own, 6)


def test_words_of_a_run() -> None:
    lines = [
        Line("set-option", ("incremental", "true")),
        Line("term", ("extract[3,0]", "t1"), ("t2",)),
        Line("term", ("make:c1", "t1"), ("t3",)),
    ]
    trace = Trace(tuple(Step(line, OK) for line in lines), {"theories": "core bitvectors"})
    assert words_of(trace, ["push"]) == {
        "action push",
        "theory core",
        "theory bitvectors",
        "option incremental",
        "operator extract",
        "operator make",
    }
