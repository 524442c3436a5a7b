"""The actions, a family a module; a new one joins by a line in ALL.

An action draws a line, and writes what a line and its reply mean into the mirror; generating and replaying a
trace go through the same `apply`.
"""

from __future__ import annotations

from typing import Final

from falsum.api.actions import (
    assertions,
    check_sat,
    datatypes,
    extras,
    inputs,
    queries,
    scopes,
    setup,
    sorts,
    templates,
    terms,
)
from falsum.api.actions.action import Action
from falsum.api.traces.trace import Line
from falsum.errors import UsageError

ALL: Final[tuple[Action, ...]] = (
    setup.New(),
    setup.Delete(),
    setup.SetLogic(),
    setup.RequireOptions(),
    setup.SetOption(),
    sorts.MakeSort(),
    sorts.DeclareSort(),
    datatypes.Datatypes(),
    datatypes.Codatatypes(),
    templates.Template(),
    templates.Instantiate(),
    inputs.Const(),
    inputs.Variable(),
    inputs.MakeValue(),
    inputs.Special(),
    terms.MakeTerm(),
    terms.Quantify(),
    terms.Define(),
    assertions.Assert(),
    check_sat.Check(),
    check_sat.CheckAssuming(),
    check_sat.GetValue(),
    check_sat.GetModel(),
    check_sat.OneShot(),
    check_sat.GetCore(),
    check_sat.GetUnsatAssumptions(),
    scopes.Push(),
    scopes.Pop(),
    scopes.Reset(),
    scopes.ResetAssertions(),
    queries.GetAssertions(),
    queries.GetChildren(),
    queries.GetSort(),
    queries.PrintTerm(),
    extras.Solvers(),
)
# By the name the model uses; extras are named `extra NAME` and drawn by one action.
BY_NAME: Final = {action.name: action for action in ALL}
# By the word their lines begin with: who applies a line.
BY_WORD: Final = {action.word: action for action in ALL if action.applies}


def action_named(name: str) -> Action:
    """The action a transition of the model means."""
    return extras.Extra(name.removeprefix("extra ")) if name.startswith("extra ") else BY_NAME[name]


def action_of(line: Line) -> Action:
    """The action that applies a line; raises UsageError."""
    action = BY_WORD.get(line.word)
    if action is None:
        raise UsageError(f"there is no action {line.word}")
    return action


def check_shape(action: Action, line: Line) -> None:
    """Raises UsageError for a line that has too little of something."""
    if len(line.args) < action.takes or len(line.made) < action.makes:
        raise UsageError(f"{line.word} takes {action.takes} arguments and makes {action.makes} names: {line}")
