"""StateMachine: the weighted state machine that decides which action comes next.

A transition has an action (or none), a weight, and a target state. A state without actions is a decision
state. Transitions are drawn by weight until one has an action that is ready and a target whose precondition
holds; if the action finds nothing to do, the state does not change. The default is Murxla's published state
machine with three changes: there is no check before an assertion, a run does not end before a check (a third
of Murxla's runs do neither), and the way from terms to assertions to checks is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from falsum.errors import UsageError

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities, TransitionChange
    from falsum.api.model.mirror import Mirror


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition: `action` is the name of an action or ""; `to` is "" if the state does not change."""

    action: str
    weight: float
    to: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.action, self.to

    @property
    def label(self) -> str:
        """The part of a weight's name after the state."""
        return self.action or f"-.{self.to}"


@dataclass(frozen=True, slots=True)
class MachineState:
    """A state; it is entered only if its precondition holds."""

    name: str
    transitions: tuple[Transition, ...]
    precondition: str = ""

    @property
    def is_decision(self) -> bool:
        return len(self.transitions) > 1 and not any(each.action for each in self.transitions)


PRECONDITIONS: Final[Mapping[str, Callable[[Mirror], bool]]] = {
    "": lambda _: True,
    "required options": lambda mirror: all(name in mirror.options for name, _ in mirror.required_options),
    "options": lambda mirror: not mirror.missing_options(),
    # One of every kind that the run's theories have.
    "sorts": lambda mirror: not mirror.missing_sorts() and not mirror.lacks_datatype,
    "a term": lambda mirror: bool(mirror.by_sort),
    "an input": lambda mirror: mirror.has_input and bool(mirror.by_sort),
    "a formula": lambda mirror: mirror.has_formula,
    "an assertion": lambda mirror: any(mirror.levels),
    "a check": lambda mirror: mirror.checks > 0,
    "sat": lambda mirror: mirror.mode == "sat",
    "unsat": lambda mirror: mirror.mode == "unsat",
    "unsat assertions": lambda mirror: (
        mirror.mode == "unsat" and not mirror.assumptions and len(mirror.asserted) > 1
    ),
    "unsat assumptions": lambda mirror: mirror.mode == "unsat" and bool(mirror.assumptions),
    "incremental": lambda mirror: mirror.has("incremental"),
}
EXTRA_PREFIX: Final = "extra "  # of the names of solver-specific actions
START: Final = "new"
FINAL: Final = "final"
# Where runs that begin with a script leave the walk for it, and where they go on.
BEFORE_SORTS: Final = "create_sorts"
AFTER_SCRIPT: Final = "assert"


@dataclass(frozen=True)
class StateMachine:
    """The states by name; raises UsageError if they are inconsistent."""

    states: Mapping[str, MachineState]

    def __post_init__(self) -> None:
        for state in self.states.values():
            if state.precondition not in PRECONDITIONS:
                raise UsageError(f"state {state.name} has an unknown precondition {state.precondition!r}")
            weights = [each.weight for each in state.transitions]
            if weights and (min(weights) < 0 or not any(weights)):
                raise UsageError(
                    f"state {state.name}: weights must not be negative, and one must be positive"
                )
            for each in state.transitions:
                if each.to and each.to not in self.states:
                    raise UsageError(f"state {state.name} has a transition to unknown state {each.to}")

    @cached_property
    def reachable_actions(self) -> frozenset[str]:
        """The actions that transitions of positive weight lead to."""
        states, todo, actions = {START}, [START], set[str]()
        while todo:
            for each in self.states[todo.pop()].transitions:
                if not each.weight:
                    continue
                actions.add(each.action)
                if each.to and each.to not in states:
                    states.add(each.to)
                    todo.append(each.to)
        return frozenset(actions)

    def with_weights(self, weights: Mapping[str, float]) -> StateMachine:
        """A copy with other weights; keys are `state.action` or `state.action.to`, with `-` for no action."""
        states = dict(self.states)
        for key, weight in weights.items():
            name, action, to = (*key.split("."), "", "")[:3]
            if name not in states:
                raise UsageError(f"unknown state {name}; the states are {', '.join(states)}")
            action_name = "" if action == "-" else action
            matching = [t for t in states[name].transitions if t.action == action_name and to in ("", t.to)]
            if not matching and action_name.startswith(EXTRA_PREFIX):
                continue  # an action of another library
            if not matching:
                labels = ", ".join(dict.fromkeys(t.label for t in states[name].transitions))
                raise UsageError(f"state {name} has no transition {key!r}; its transitions are {labels}")
            transitions = [
                replace(t, weight=weight) if t in matching else t for t in states[name].transitions
            ]
            states[name] = replace(states[name], transitions=tuple(transitions))
        return StateMachine(states)

    def with_changes(self, changes: Iterable[TransitionChange]) -> StateMachine:
        """A copy with transitions added, removed or reweighted by a binding."""
        states = dict(self.states)
        for change in changes:
            state = states.get(change.state) or MachineState(change.state, ())
            transitions = [t for t in state.transitions if t.key != (change.action, change.to)]
            if change.weight:
                transitions.append(Transition(change.action, change.weight, change.to))
            precondition = change.precondition or state.precondition
            states[change.state] = replace(state, transitions=tuple(transitions), precondition=precondition)
        return StateMachine(states)


def _state(name: str, text: str, precondition: str = "") -> MachineState:
    """Parse transitions, lines `weight action [→ state]` with `-` for no action."""
    transitions = []
    for row in filter(None, map(str.strip, text.splitlines())):
        weight, action, *rest = row.split()
        transitions.append(
            Transition("" if action == "-" else action, float(weight), rest[1] if rest else "")
        )
    return MachineState(name, tuple(transitions), precondition)


_RARELY: Final = "0.02 reset → new_again\n 0.02 reset-assertions → create_terms\n"

_STATES: Final = (
    _state("new", "1 new → set_logic"),
    _state("new_again", "1 - → set_logic"),
    _state("set_logic", "3 set-logic → opt_req\n 1 - → opt_req"),
    _state("opt_req", "1 require-options\n 1 - → opt"),
    _state("opt", "86 set-option\n 14 - → create_sorts", "required options"),
    _state(
        "create_sorts",
        """55 sort
           5 declare-sort
           12 datatypes
           2 codatatypes
           3 template
           5 instantiate
           18 - → create_inputs""",
        "options",
    ),
    _state(
        "create_inputs",
        """37 const
           18 value
           18 var
           9 special
           15 - → create_terms
           2 sort
           0.7 - → push_pop""" + "\n" + _RARELY,
        "sorts",
    ),
    _state(
        "create_terms",
        """79 term
           8 define
           4 quantify
           2 comprehend
           3 get-children
           2 get-sort
           2 print
           8 - → assert
           1 - → check_sat
           0.3 - → create_inputs
           0.8 - → push_pop""" + "\n" + _RARELY,
        "an input",
    ),
    _state(
        "assert",
        """64 assert
           22 - → push_pop
           32 - → check_sat
           1 - → create_terms
           1 get-assertions""" + "\n" + _RARELY,
        "a formula",
    ),
    _state(
        "check_sat",
        """31 check → decide
           16 check-assuming → decide
           16 - → push_pop
           6 - → delete""",
        "an assertion",
    ),
    _state(
        "decide",
        """1 - → sat
           1 - → unsat
           0.5 - → check_sat
           0.5 - → create_inputs
           0.5 - → push_pop""",
    ),
    _state(
        "sat",
        """29 get-value
           10 get-model
           8 one-shot
           14 - → check_sat
           14 - → push_pop
           14 - → delete""",
        "sat",
    ),
    _state(
        "unsat",
        """29 get-core
           29 get-unsat-assumptions
           8 one-shot
           14 - → check_sat
           14 - → push_pop
           14 - → delete""",
        "unsat",
    ),
    _state(
        "push_pop",
        """11 push
           11 pop
           11 - → create_sorts
           11 - → create_inputs
           11 - → create_terms
           11 - → assert
           11 - → check_sat
           6 - → delete""" + "\n" + _RARELY,
        "incremental",
    ),
    _state("delete", "1 delete → final", "a check"),
    _state("final", ""),
)  # fmt: skip
DEFAULT: Final = StateMachine({state.name: state for state in _STATES})


def machine_for(capabilities: Capabilities, weights: Mapping[str, float]) -> StateMachine:
    """The default with the actions and changes of a binding and the weights of the user."""
    states = dict(DEFAULT.with_changes(capabilities.transitions).states)
    for extra in capabilities.extras:
        for name in extra.states:
            if name not in states:
                raise UsageError(f"extra {extra.name} of {capabilities.product} is in unknown state {name}")
            transition = Transition(f"{EXTRA_PREFIX}{extra.name}", extra.weight)
            states[name] = replace(states[name], transitions=(*states[name].transitions, transition))
    machine = StateMachine(states).with_weights(weights)
    _require_checks(machine)
    if "const" in machine.reachable_actions:
        return machine
    # Runs of values alone, as the user wants them.
    weaker = replace(machine.states["create_terms"], precondition="a term")
    return StateMachine({**machine.states, "create_terms": weaker})


# Each run needs one action of each row, or it would never assert and check anything.
_NEEDED: Final = (
    ("sort",),
    ("const", "value", "special"),
    ("assert",),
    ("check", "check-assuming"),
)


def _require_checks(machine: StateMachine) -> None:
    """Raise UsageError if the weights leave no way to a check."""
    reachable = machine.reachable_actions
    for actions in _NEEDED:
        if not reachable.intersection(actions):
            places = sorted(
                f"{state.name}.{each.action}"
                for state in machine.states.values()
                for each in state.transitions
                if each.action in actions
            )
            raise UsageError(
                f"with these weights no run would assert and check anything: {' or '.join(actions)} is never "
                f"reached; give a positive weight to {' or '.join(places)} and to the way there"
            )


def as_text(machine: StateMachine) -> str:
    """The states with their transitions and probabilities."""
    rows = []
    for state in machine.states.values():
        kind = " (decision)" if state.is_decision else ""
        rows.append(f"{state.name}{kind}" + (f", needs {state.precondition}" if state.precondition else ""))
        total = sum(each.weight for each in state.transitions)
        for each in state.transitions:
            target = f" → {each.to}" if each.to else ""
            rows.append(f"  {100 * each.weight / total:6.2f} %  {each.action or '-'}{target}")
    return "\n".join(rows) + "\n"


def as_mermaid(machine: StateMachine) -> str:
    """A Mermaid state diagram."""
    rows = ["stateDiagram-v2", f"    [*] --> {START}"]
    for state in machine.states.values():
        total = sum(each.weight for each in state.transitions)
        for each in state.transitions:
            share = f"{100 * each.weight / total:.3g}%"
            rows.append(f"    {state.name} --> {each.to or state.name}: {each.action or '-'} {share}")
    return "\n".join([*rows, f"    {FINAL} --> [*]"]) + "\n"
