"""Model: the weighted state machine that decides which action comes next.

A state has transitions: an action (or none), a weight, and the state it leads to. A state without actions
is a decision state. One is drawn by weight among those whose action is ready and whose target may be
entered; when an action finds nothing to do the machine stays. The default is Murxla's published model with
deliberate changes: nothing is checked before something is asserted, nothing ends before something is
checked (a third of Murxla's runs do neither), and the way from terms to assertions to checks is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from falsum.errors import UsageError

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities, TransitionChange
    from falsum.api.model.mirror import Mirror


@dataclass(frozen=True, slots=True)
class Transition:
    """`action` is the word of an action, "" for none; `to` is "" where the machine stays."""

    action: str
    weight: float
    to: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.action, self.to

    @property
    def written(self) -> str:
        """As a weight's name has it after the state."""
        return self.action or f"-.{self.to}"


@dataclass(frozen=True, slots=True)
class State:
    """`needs` names what must hold to enter it."""

    name: str
    transitions: tuple[Transition, ...]
    needs: str = ""

    @property
    def is_decision(self) -> bool:
        return len(self.transitions) > 1 and not any(each.action for each in self.transitions)


def _has_sorts(mirror: Mirror) -> bool:
    """One of every kind the run is about."""
    if not mirror.sort_names - {"RegLan"} <= {sort.name for sort in mirror.sorts.values()}:
        return False
    return bool(mirror.datatypes) or "datatypes" not in mirror.theories or not mirror.has("datatypes")


NEEDS: Final[Mapping[str, Callable[[Mirror], bool]]] = {
    "": lambda _: True,
    "required options": lambda mirror: all(
        n in mirror.options for n, _ in mirror.capabilities.required_options
    ),
    "sorts": _has_sorts,
    "a term": lambda mirror: bool(mirror.by_sort),
    "a formula": lambda mirror: bool(mirror.formulas()),
    "an assertion": lambda mirror: any(mirror.levels),
    "a check": lambda mirror: mirror.checks > 0,
    "sat": lambda mirror: mirror.mode == "sat",
    "unsat": lambda mirror: mirror.mode == "unsat",
    "unsat assertions": lambda mirror: (
        mirror.mode == "unsat" and not mirror.assumed and len(mirror.asserted) > 1
    ),
    "unsat assumptions": lambda mirror: mirror.mode == "unsat" and bool(mirror.assumed),
    "incremental": lambda mirror: mirror.has("incremental"),
}
EXTRA: Final = "extra "  # what the name of a solver-specific action begins with
FIRST: Final = "new"
FINAL: Final = "final"


@dataclass(frozen=True, slots=True)
class Model:
    """The states by name, in order."""

    states: Mapping[str, State]

    def __post_init__(self) -> None:
        for state in self.states.values():
            if state.needs not in NEEDS:
                raise UsageError(f"state {state.name} needs {state.needs!r}, which nobody knows")
            weights = [each.weight for each in state.transitions]
            if weights and (min(weights) < 0 or not any(weights)):
                raise UsageError(f"state {state.name}: weights are not negative, and one is more than 0")
            for each in state.transitions:
                if each.to and each.to not in self.states:
                    raise UsageError(f"state {state.name} leads to {each.to}, which there is not")

    def reweighted(self, weights: Mapping[str, float]) -> Model:
        """With other weights: `state.action` or `state.action.to`, the action `-` for none."""
        states = dict(self.states)
        for key, weight in weights.items():
            name, action, to = (*key.split("."), "", "")[:3]
            if name not in states:
                raise UsageError(f"there is no state {name}; there are {', '.join(states)}")
            wanted = "" if action == "-" else action
            fits = [t for t in states[name].transitions if t.action == wanted and to in ("", t.to)]
            if not fits and wanted.startswith(EXTRA):
                continue  # another library's own action
            if not fits:
                there = ", ".join(dict.fromkeys(t.written for t in states[name].transitions))
                raise UsageError(f"state {name} has no transition {key!r}; there are {there}")
            changed = [replace(t, weight=weight) if t in fits else t for t in states[name].transitions]
            states[name] = replace(states[name], transitions=tuple(changed))
        return Model(states)

    def changed(self, changes: Iterable[TransitionChange]) -> Model:
        """With what a binding wants otherwise: transitions added, removed, reweighted."""
        states = dict(self.states)
        for change in changes:
            state = states.get(change.state) or State(change.state, ())
            kept = [t for t in state.transitions if t.key != (change.action, change.to)]
            if change.weight:
                kept.append(Transition(change.action, change.weight, change.to))
            states[change.state] = replace(state, transitions=tuple(kept))
        return Model(states)


def _state(name: str, text: str, needs: str = "") -> State:
    """Transitions as lines `weight action [→ state]`, the action `-` for none."""
    found = []
    for row in filter(None, map(str.strip, text.splitlines())):
        weight, action, *rest = row.split()
        found.append(Transition("" if action == "-" else action, float(weight), rest[1] if rest else ""))
    return State(name, tuple(found), needs)


_RARELY: Final = "0.02 reset → new_again\n 0.02 reset-assertions → create_terms\n"

_STATES: Final = (
    _state("new", "1 new → set_logic"),
    _state("new_again", "1 - → set_logic"),
    _state("set_logic", "1 set-logic → opt_req\n 1 - → opt_req"),
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
           3 get-children
           2 get-sort
           2 print
           8 - → assert
           1 - → check_sat
           0.8 - → push_pop""" + "\n" + _RARELY,
        "a term",
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
           29 get-model
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
DEFAULT: Final = Model({state.name: state for state in _STATES})


def model_for(capabilities: Capabilities, weights: Mapping[str, float]) -> Model:
    """The default with a binding's own actions and changes, and the user's weights."""
    model = DEFAULT.changed(capabilities.transitions)
    states = dict(model.states)
    for extra in capabilities.extras:
        for name in extra.states:
            if name not in states:
                raise UsageError(f"{capabilities.product}'s {extra.name} wants a state {name}")
            added = Transition(f"{EXTRA}{extra.name}", extra.weight)
            states[name] = replace(states[name], transitions=(*states[name].transitions, added))
    return Model(states).reweighted(weights)


def as_text(model: Model) -> str:
    """For people: a state a paragraph, shares in percent."""
    rows = []
    for state in model.states.values():
        kind = " (decision)" if state.is_decision else ""
        rows.append(f"{state.name}{kind}" + (f", needs {state.needs}" if state.needs else ""))
        total = sum(each.weight for each in state.transitions)
        for each in state.transitions:
            goes = f" → {each.to}" if each.to else ""
            rows.append(f"  {100 * each.weight / total:6.2f} %  {each.action or '-'}{goes}")
    return "\n".join(rows) + "\n"


def as_mermaid(model: Model) -> str:
    """A drawing, in Mermaid's language."""
    rows = ["stateDiagram-v2", f"    [*] --> {FIRST}"]
    for state in model.states.values():
        total = sum(each.weight for each in state.transitions)
        for each in state.transitions:
            share = f"{100 * each.weight / total:.3g}%"
            rows.append(f"    {state.name} --> {each.to or state.name}: {each.action or 'go on'} {share}")
    return "\n".join([*rows, f"    {FINAL} --> [*]"]) + "\n"
