"""The actions, in one module per family; a new one joins by a line in ALL.

An action draws a line, says what the child does for it, updates the mirror by the line and its reply, writes
it as commands of a script, and makes it smaller. Generating and replaying a trace use the same `apply`.
"""

from __future__ import annotations

import json
from typing import Final

from falsum.api.actions import (
    assertion_stack,
    check_sat,
    claims,
    datatypes,
    extras,
    inputs,
    parametric_datatypes,
    queries,
    setup,
    sorts,
    terms,
)
from falsum.api.actions.action import Action
from falsum.api.trace import Line
from falsum.errors import UsageError

ALL: Final[tuple[Action, ...]] = (
    setup.NewAction(),
    setup.DeleteAction(),
    setup.SetLogicAction(),
    setup.SetRequiredOptionAction(),
    setup.SetOptionAction(),
    sorts.SortAction(),
    sorts.DeclareSortAction(),
    datatypes.DatatypesAction(),
    datatypes.CodatatypesAction(),
    parametric_datatypes.TemplateAction(),
    parametric_datatypes.InstantiateAction(),
    inputs.ConstAction(),
    inputs.VariableAction(),
    inputs.ValueAction(),
    inputs.SpecialValueAction(),
    terms.TermAction(),
    terms.QuantifyAction(),
    terms.ComprehendAction(),
    terms.DefineAction(),
    assertion_stack.AssertAction(),
    check_sat.CheckAction(),
    check_sat.CheckAssumingAction(),
    check_sat.GetValueAction(),
    check_sat.GetModelAction(),
    check_sat.OneShotAction(),
    check_sat.GetCoreAction(),
    check_sat.GetUnsatAssumptionsAction(),
    claims.ClaimAction(),
    assertion_stack.PushAction(),
    assertion_stack.PopAction(),
    assertion_stack.ResetAction(),
    assertion_stack.ResetAssertionsAction(),
    queries.GetAssertionsAction(),
    queries.GetChildrenAction(),
    queries.GetSortAction(),
    queries.PrintTermAction(),
    extras.ExtraAction(),
)
# By the name that the state machine uses; extras are named `extra NAME`.
BY_NAME: Final = {action.name: action for action in ALL}
# The action that applies a line, by the word the line begins with.
BY_WORD: Final = {action.word: action for action in ALL if action.applies}
# What children are told of the actions: the table of calls, as JSON.
CALLS: Final = json.dumps({word: action.call for word, action in BY_WORD.items()})


def action_named(name: str) -> Action:
    """The action of a transition."""
    return (
        extras.NamedExtraAction(name.removeprefix("extra ")) if name.startswith("extra ") else BY_NAME[name]
    )


def action_of(line: Line) -> Action:
    """The action that applies a line; raises UsageError."""
    action = BY_WORD.get(line.word)
    if action is None:
        raise UsageError(f"unknown action {line.word}")
    return action


def check_shape(action: Action, line: Line) -> None:
    """Raise UsageError if a line has too few arguments or results."""
    if len(line.args) < action.min_args or len(line.results) < action.result_count:
        raise UsageError(
            f"{line.word} needs {action.min_args} arguments and {action.result_count} results: {line}"
        )
