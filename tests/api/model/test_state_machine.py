"""The model: what it says, how it is changed, and that it leads somewhere."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.api.conftest import Make

from falsum.api.actions import ALL, action_named
from falsum.api.model.capabilities import Capabilities, ExtraDeclaration, TransitionChange
from falsum.api.model.settings import Bounds, Settings
from falsum.api.model.state_machine import DEFAULT, FINAL, as_mermaid, as_text, machine_for
from falsum.api.model.theories import sorts_of
from falsum.api.run_result import RunStatus
from falsum.errors import UsageError


def test_every_action_is_in_the_model_and_every_word_is_an_action() -> None:
    used = {each.action for state in DEFAULT.states.values() for each in state.transitions if each.action}
    known = {action.name for action in ALL} - {"extra", "claim"}  # drawn by others
    assert used == known
    assert all(action_named(name).name == name for name in used)


def test_every_state_can_be_reached_and_left() -> None:
    reached, todo = {"new"}, ["new"]
    while todo:
        for each in DEFAULT.states[todo.pop()].transitions:
            if each.to and each.to not in reached:
                reached.add(each.to)
                todo.append(each.to)
    assert reached == set(DEFAULT.states)
    assert all(state.transitions for name, state in DEFAULT.states.items() if name != FINAL)


def test_bindings_add_remove_and_reweight() -> None:
    capabilities = Capabilities(
        "x",
        extras=(ExtraDeclaration("simplify", ("term",), "equal", ("create_terms", "assert"), weight=3),),
        transitions=(TransitionChange("push_pop", "pop"), TransitionChange("sat", "print", weight=7)),
    )
    states = machine_for(capabilities, {"create_terms.term": 50}).states
    assert any(t.action == "extra simplify" and t.weight == 3 for t in states["assert"].transitions)
    assert all(t.action != "pop" for t in states["push_pop"].transitions)
    assert any(t.action == "print" and t.weight == 7 for t in states["sat"].transitions)
    assert next(t.weight for t in states["create_terms"].transitions if t.action == "term") == 50


@pytest.mark.parametrize("key", ["nowhere.term", "assert.sing", "assert.-.nowhere"])
def test_a_weight_of_nothing_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match=r"the states are|its transitions are"):
        DEFAULT.with_weights({key: 1})


def test_it_is_shown_as_text_and_as_a_drawing() -> None:
    assert "decide (decision)" in as_text(DEFAULT)
    assert "sat, needs sat" in as_text(DEFAULT)
    assert "    create_terms --> create_terms: term" in as_mermaid(DEFAULT)


@pytest.mark.parametrize("bounds", [Bounds(), Bounds(sorts=1), Bounds(actions=12)])
def test_every_run_asserts_and_checks(product: str, bounds: Bounds, make: Make) -> None:
    """Whatever its theories are; before, one run in seven ended for want of a sort of every kind."""
    fuzzer = make(product, Settings(theories=tuple(sorts_of()), bounds=bounds, options=0, compare=0))
    for number in range(16):
        result = fuzzer.run(number)
        words = Counter(step.line.word for step in result.trace.steps)
        assert result.status is not RunStatus.EMPTY, result.trace
        assert (words["assert"] and words["check"]) or result.status is not RunStatus.DONE, result.trace


def test_a_run_that_is_stuck_is_empty(make: Make) -> None:
    """The weights lead to a check, but nothing can be made that could be asserted."""
    weights = dict.fromkeys(("create_inputs.const", "create_inputs.special", "create_sorts.sort"), 0.0)
    fuzzer = make("bitwuzla", Settings(theories=("bitvectors",), weights=weights, options=0))
    result = fuzzer.run(1)
    assert result.status is RunStatus.EMPTY
    assert result.evidence == "no way on in state create_sorts"
    assert not result.is_wrong


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"assert.assert": 0}, "assert is never reached; give a positive weight to assert.assert"),
        ({"check_sat.check": 0, "check_sat.check-assuming": 0}, "check or check-assuming is never reached"),
        ({"create_sorts.-.create_inputs": 0}, "const or value or special is never reached"),
    ],
)
def test_weights_that_leave_no_way_to_a_check_are_refused(weights: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        machine_for(Capabilities("x"), weights)


def test_a_state_of_a_binding_can_have_a_precondition() -> None:
    changes = (
        TransitionChange("warm", "print", weight=1, precondition="sat"),
        TransitionChange("warm", "", "check_sat", 1),
        TransitionChange("sat", "", "warm", 3),
    )
    machine = machine_for(Capabilities("x", transitions=changes), {})
    assert machine.states["warm"].precondition == "sat"
    assert machine.states["sat"].precondition == "sat"
    with pytest.raises(UsageError, match="state warm has an unknown precondition 'sunny'"):
        machine_for(Capabilities("x", transitions=(TransitionChange("warm", "print", "", 1, "sunny"),)), {})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (TransitionChange("assert", "assert", "nowhere", 1), "transition to unknown state nowhere"),
        (TransitionChange("assert", "assert", "", -1), "weights must not be negative"),
    ],
)
def test_an_inconsistent_machine_is_refused(change: TransitionChange, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        machine_for(Capabilities("x", transitions=(change,)), {})


def test_an_extra_in_an_unknown_state_is_refused() -> None:
    with pytest.raises(UsageError, match="extra simplify of x is in unknown state nowhere"):
        machine_for(Capabilities("x", extras=(ExtraDeclaration("simplify", states=("nowhere",)),)), {})
