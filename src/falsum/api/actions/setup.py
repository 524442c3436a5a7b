"""The actions that make, configure and delete a solver."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from falsum.api.actions.action import Action, Call, Purpose
from falsum.api.actions.script_writer import ScriptWriter
from falsum.api.model.mirror import Mirror
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.logics import smallest_logic
from falsum.smtlib.scripts import SetLogic, SetOption

_COMPOSED: Final = 0.7  # the share of runs in the narrowest logic
_SPELLED: Final = frozenset(["arrays", "uf", "bitvectors", "floats", "datatypes", "strings", "ints", "reals"])
_NONLINEAR: Final = re.compile("N(?=(?:I|R|IR)A$)")


class NewAction(Action):
    """Makes a solver; where a binding can make it in several ways, the variant chooses."""

    name = word = "new"
    call = Call("new", notes="start")
    purpose = Purpose.MAKER

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, variant=rng.randrange(1, 100))


class DeleteAction(Action):
    name = word = "delete"
    call = Call("delete", notes="start")
    purpose = Purpose.MAKER


class SetLogicAction(Action):
    name = word = "set-logic"
    call = Call("set_logic", "word")
    feature = "logic"
    min_args = 1
    is_portable = False

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        if "higher-order" in mirror.theories:
            return Line(self.word, ("HO_ALL",))
        return Line(self.word, (logic_of_run(mirror) if rng.random() < _COMPOSED else "ALL",))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.logic = line.args[0]

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(SetLogic(line.args[0]))


def logic_of_run(mirror: Mirror) -> str:
    """The narrowest logic with the theories of the run; ALL if no name spells them."""
    theories = set(mirror.theories) - {"core", "quantifiers"}
    if not theories <= _SPELLED:  # solvers differ in the letters of the others
        return "ALL"
    if "strings" in theories:  # whose lengths are integers
        theories.add("ints")
    name = smallest_logic(theories, has_quantifiers="quantifiers" in mirror.theories)
    return _NONLINEAR.sub("L", name) if mirror.is_linear else name


class SetRequiredOptionAction(Action):
    """Sets the next of the required options, such as models and cores."""

    name = "require-options"
    word = "set-option"
    applies = False

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        missing = [each for each in mirror.required_options if each[0] not in mirror.options]
        return Line("set-option", missing[0], variant=rng.randrange(1, 100)) if missing else None


class SetOptionAction(Action):
    """Sets the next of the options that were drawn for the run."""

    name = word = "set-option"
    call = Call("set_option", "word word")
    min_args = 2
    is_portable = False

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        missing = mirror.missing_options()
        return Line(self.word, missing[0], variant=rng.randrange(1, 100)) if missing else None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if len(line.args) != 2:
            raise UsageError("set-option needs a name and a value")
        mirror.set_option(*line.args)

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(SetOption(f":{line.args[0]}", line.args[1]))
