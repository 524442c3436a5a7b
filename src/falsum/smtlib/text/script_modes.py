"""Script modes: equivalent scripts for which solvers take other paths.

Verdicts are the same in every mode. The checks and assertions that a mode adds are commands without a name,
so they are not counted among those of the script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

from falsum.smtlib.text.command_text import CHECK_COMMANDS, CommandText

_PUSH: Final = CommandText("push", "(push 1)")
_POP: Final = CommandText("pop", "(pop 1)")
_RESET: Final = CommandText("reset-assertions", "(reset-assertions)")
_ADDED_CHECK: Final = CommandText("", "(check-sat)")
_PREAMBLE: Final = frozenset({"set-logic", "set-option", "set-info"})
_DECLARES: Final = frozenset(
    "declare-const declare-fun declare-sort declare-datatype declare-datatypes define-fun define-fun-rec "
    "define-funs-rec define-const define-sort".split()
)
# A script with one of these has more on its assertion stack than its assertions one after the other.
_STACK: Final = frozenset(
    "push pop reset reset-assertions check-sat-assuming check-sat-using minimize maximize assert-soft".split()
)
_ASSERTED: Final = re.compile(r"\(\s*assert\b(.*)\)\Z", re.DOTALL)
_NAMED: Final = re.compile(r":named\b|:global-declarations\b")

Commands = Sequence[CommandText]


def push(commands: Commands, *, keeps_declarations: bool = False) -> list[CommandText] | None:
    """The assertions on a level of their own, for which most solvers use another engine."""
    del keeps_declarations
    first = _first_assertion(commands)
    return None if first is None else [*commands[:first], _PUSH, *commands[first:]]


def split(commands: Commands, *, keeps_declarations: bool = False) -> list[CommandText] | None:
    """First a check of the later assertions on a level that is popped, and then the script."""
    del keeps_declarations
    place = _last_check(commands)
    if place is None:
        return None
    before, after = commands[:place], commands[place:]
    declarations = [command for command in before if command.name != "assert"]
    assertions = [command for command in before if command.name == "assert"]
    half = len(assertions) // 2
    added = [*assertions[:half], _PUSH, *map(_nameless, assertions[half:]), _ADDED_CHECK, _POP]
    return [*declarations, *added, *assertions[half:], *after]


def assuming(commands: Commands, *, keeps_declarations: bool = False) -> list[CommandText] | None:
    """Every assertion under an assumption, and a check with all of them."""
    del keeps_declarations
    if not _is_plain(commands):
        return None
    numbers = count(1)
    output: list[CommandText] = []
    assumptions: list[str] = []
    for command in commands:
        match = _ASSERTED.match(command.text) if command.name == "assert" else None
        if match is not None:
            name = f"falsum!assumed!{next(numbers)}"
            assumptions.append(name)
            output.append(CommandText("declare-const", f"(declare-const {name} Bool)"))
            output.append(CommandText("assert", f"(assert (=> {name}{match[1]}))"))
        elif command.name in CHECK_COMMANDS:
            output.append(
                CommandText("check-sat-assuming", f"(check-sat-assuming ({' '.join(assumptions)}))")
            )
        else:
            output.append(command)
    return output


def again(commands: Commands, *, keeps_declarations: bool = False) -> list[CommandText] | None:
    """The whole script, `(reset-assertions)`, and the script again."""
    place = _last_check(commands)
    if place is None:
        return None
    preamble = next((n for n, command in enumerate(commands) if command.name not in _PREAMBLE), 0)
    body = list(commands[preamble:])
    first = [
        _nameless(command) if command.name in CHECK_COMMANDS or command.name == "assert" else command
        for command in body[: place - preamble + 1]
    ]
    if keeps_declarations:
        body = [command for command in body if command.name not in _DECLARES]
    return [*commands[:preamble], *first, _RESET, *body]


MODES: Final[dict[str, Callable[..., list[CommandText] | None]]] = {
    "push": push,
    "split": split,
    "assuming": assuming,
    "again": again,
}
# What a mode does, for reports.
MEANINGS: Final = {
    "push": "`(push 1)` before the first assertion",
    "split": "a check of the later assertions on a level that is popped again, before the script's own check",
    "assuming": "`(check-sat-assuming …)` with a literal that implies each assertion",
    "again": "the script once before, and `(reset-assertions)`",
}
# In a title: where the check stands.
PLACES: Final = {
    "push": "after `(push 1)`",
    "split": "after `(pop 1)`",
    "assuming": "under assumptions",
    "again": "after `(reset-assertions)`",
}


def in_mode(commands: Commands, mode: str, *, keeps_declarations: bool = False) -> list[CommandText] | None:
    """The commands in a mode; None if the mode does not apply.

    `keeps_declarations` is for solvers for which declarations survive `(reset-assertions)`.
    """
    return MODES[mode](commands, keeps_declarations=keeps_declarations)


def _nameless(command: CommandText) -> CommandText:
    return CommandText("", command.text)


def _first_assertion(commands: Commands) -> int | None:
    return next((place for place, command in enumerate(commands) if command.name == "assert"), None)


def _is_plain(commands: Commands) -> bool:
    """Whether all assertions stay asserted, and none has a name."""
    return not any(command.name in _STACK or _NAMED.search(command.text) for command in commands)


def _last_check(commands: Commands) -> int | None:
    """The place of the only check of a plain script with assertions before it; None if it is not one."""
    checks = [place for place, command in enumerate(commands) if command.name in CHECK_COMMANDS]
    if len(checks) != 1 or not _is_plain(commands):
        return None
    first = _first_assertion(commands)
    return checks[0] if first is not None and first < checks[0] else None
