"""SafeScript: the part of a script that may be sent to a solver, printed so that every solver reads it alike.

Seeds are hostile: they may name files to write, forge answers, or end the session, in spellings that only
some solver understands. So nothing is filtered out of the text; what is sent is put together from the
commands that falsum understands:

* the command is on the list of commands, spelled plainly;
* an option or a parameter of a tactic cannot name a file, a program or a socket, and is known not to change
  what is asked, by the list of the solver's release (`profiles/option_list.py`); its value is a number, a
  Boolean or a plain word; tactics are known ones (`tactics`);
* the text has no comments, and of strings only printable ASCII; names that could be misread, by a solver or
  in what it prints, are replaced (`harmless_names`).

Everything else is left out, and `changes` says so. A script of which something is left out that may matter to
its answers is not `whole`: what solvers answer to the rest says nothing about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from falsum.smtlib.syntax.command_shapes import SHAPES
from falsum.smtlib.syntax.commands import READERS
from falsum.smtlib.text.command_text import CHECK_COMMANDS, MAX_KEPT, CommandText, split_commands
from falsum.smtlib.text.lexer import chunks
from falsum.solvers.inputs import tactics
from falsum.solvers.inputs.harmless_names import has_sign, is_sign, may_need_replacement
from falsum.solvers.inputs.tokens import is_plain, joined, safe_string, safe_token
from falsum.solvers.profiles.option_list import UNLISTED, OptionList

# Commands that print what the script says, read files, name programs to run, or only make sense at a prompt.
_HARMLESS: Final = frozenset(
    "echo declare-tactic help help-tactic get-user-tactics dbg-lt exit set-info-logic".split()
)
_NEVER_SENT: Final = _HARMLESS | {"include", "declare-oracle-fun"}
_SENT: Final = (frozenset(READERS) | frozenset(SHAPES)) - _NEVER_SENT
# Commands whose keywords are parameters of engines, and so may name files.
_WITH_PARAMETERS: Final = frozenset(
    "check-sat-using apply query simplify eval check-synth find-synth".split()
)
_WITH_TACTICS: Final = frozenset({"check-sat-using", "apply"})
_WITH_OPTIONS: Final = _WITH_PARAMETERS | {"set-option"}
_INFORMATION: Final = frozenset({":status", ":smt-lib-version"})
_LEFT_OUT: Final = "left out"
_KEYWORD: Final = re.compile(r":[A-Za-z0-9_.-]++\Z")
_PLAIN_WORD: Final = re.compile(r"[A-Za-z0-9.-]++\Z")

_BLANK: Final = re.compile(r"\ufeff?(?:\s|;[^\n]*+)*+\Z")
_NAME: Final = re.compile(r"[a-z][a-z-]*+\Z")
# Text that every solver cuts into the same tokens as we do, without strings; quoted names are plain ones.
_UNAMBIGUOUS: Final = re.compile(
    r"(?:[A-Za-z0-9~!@$%^&*_+=<>.?/()\- \t\n]++|"
    r"(?<=[\s(])(?::(?=[A-Za-z])|#(?=[bxf][0-9a-fA-F])|"
    r"\|[A-Za-z0-9 ~!@$%^&*_+=<>.?/:'#,\[\]{}`-]*+\|(?=[\s()])))*+\Z"
)


@dataclass(frozen=True, slots=True)
class SafeScript:
    """The safe part of a script; `changes` says what is left out or written differently.

    `names` are those that are replaced, by their replacements. `has_signs`: a string in it has words by which
    crashes are recognised, so a solver that prints them may only be repeating the script.
    """

    commands: tuple[CommandText, ...]
    changes: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    has_signs: bool = False
    whole: bool = True

    @property
    def left_out(self) -> tuple[str, ...]:
        """The parts of the script that are left out."""
        return tuple(change for change in self.changes if change.endswith(_LEFT_OUT))

    @property
    def text(self) -> str:
        return "".join(f"{command.text}\n" for command in self.commands)


def safe_script(script: str, options: OptionList = UNLISTED) -> SafeScript:
    """The commands of a script that may be sent to a solver with these options."""
    return _for_all(script) or _sent(_commands(script), options)


def assertions_sent(text: str) -> int:
    """The number of assertions of a script that are sent."""
    return sum(command.name == "assert" for command in safe_script(text).commands)


@lru_cache(maxsize=8)
def _for_all(script: str) -> SafeScript | None:
    """The input for solvers with any options; None if the script sets options, which most scripts do not."""
    commands = _commands(script)
    return _sent(commands, UNLISTED) if all(c.name not in _WITH_OPTIONS for c in commands) else None


def missing_part(script: str) -> str:
    """The part of a script that is left out but may matter to its answers; "" if there is none."""
    what_is_lost = ""
    has_check = False
    for each in _commands(script):
        if each.name == "exit" or (each.name == "reset" and has_check):
            break
        what_is_lost = "" if each.name == "reset" else what_is_lost or (each.change if each.is_lost else "")
        has_check = has_check or each.name in CHECK_COMMANDS
    return what_is_lost


def _sent(commands: Iterable[_Understood], options: OptionList) -> SafeScript:
    result: list[CommandText] = []
    changes: dict[str, None] = {}  # ordered, each once
    names: dict[str, str] = {}
    has_check = has_signs = is_lost = False
    for each in commands:
        name, command, change = each.name, each.command, each.change
        if name == "exit" or (name == "reset" and has_check):
            changes[f"({name}) and everything after it left out"] = None
            break
        if name == "reset":
            changes["(reset) and everything before it left out"] = None
            result.clear()
            is_lost = False
            continue
        if command is not None and name in _WITH_OPTIONS:
            command, change = _permitted(command, change, options)
        if change:
            changes[change] = None
        if command is None and name in CHECK_COMMANDS:
            command = CommandText(name, "")  # so that no other check is taken for it
        if command is not None:
            result.append(command)
            has_check = has_check or name in CHECK_COMMANDS
        if each.names:
            names.update(each.names)
        has_signs |= each.has_signs
        is_lost |= each.is_lost
    return SafeScript(tuple(result), tuple(changes), names, has_signs, not is_lost)


class _Understood(NamedTuple):
    """A command as any solver may get it, None if none may, and a note about it."""

    name: str
    command: CommandText | None
    change: str = ""
    names: tuple[tuple[str, str], ...] = ()
    has_signs: bool = False
    is_lost: bool = False


@lru_cache(maxsize=8)
def _commands(script: str) -> tuple[_Understood, ...]:
    """The commands of a script up to its end; cached, since several solvers get one script."""
    commands: list[_Understood] = []
    for command in split_commands(script)[0]:
        understand = _understood_once if len(command.text) <= MAX_KEPT else _understood
        understood = understand(command.name, command.text)  # strings know their hashes, records do not
        commands.append(understood)
        if understood.name == "exit":
            break
    return tuple(commands)


def _understood(command: str, text: str) -> _Understood:
    name = command if _NAME.match(command) else _name_of(text)
    if name == "exit":
        return _Understood(name, None)
    if name:
        return _safe(name, text)
    # White space and comments are worth no remark.
    is_lost = not _BLANK.match(text)
    return _Understood(name, None, "text that is not a command left out" if is_lost else "", is_lost=is_lost)


# Mutants of a seed have most commands in common.
_understood_once = lru_cache(maxsize=2048)(_understood)


def _name_of(text: str) -> str:
    """The name of a command that follows comments or other text; "" if there is no command."""
    if not text.startswith("(") or not text.endswith(")"):
        return ""
    tokens = next(chunks(text)).tokens
    return tokens[1] if len(tokens) > 2 and _NAME.match(tokens[1]) else ""


def _safe(name: str, text: str) -> _Understood:
    """The command as it may be sent, if it may be sent whatever its options."""
    if name not in _SENT:
        unknown = "" if name in _NEVER_SENT else ", which falsum does not know,"
        return _Understood(name, None, f"({name} …){unknown} left out", is_lost=name not in _HARMLESS)
    if name == "set-info":
        return _information(text)
    if _UNAMBIGUOUS.match(text) and not may_need_replacement(text):
        return _Understood(name, CommandText(name, text))
    return _printed_again(name, text)


def _printed_again(name: str, text: str) -> _Understood:
    """The command put together from its tokens."""
    tokens: list[str] = []
    names: dict[str, str] = {}
    changes: dict[str, None] = {}
    has_signs = False
    for token in (token for chunk in chunks(text) for token in chunk.tokens if token):
        own_text, change = token, ""
        if token[0] == '"':
            own_text, change = safe_string(token)
            has_signs = has_signs or has_sign(token)
        elif len(tokens) > 1 and name not in _WITH_TACTICS and name != "set-option":
            own_text = safe_token(token)
            if own_text != token and own_text:
                names[own_text] = token
                change = "names that could be misread replaced"
        elif not is_plain(token) and name != "set-option":
            own_text = ""
        if not own_text:
            note = f"({name} …) with a token solvers read differently left out"
            return _Understood(name, None, note, is_lost=not name.startswith("get-"))
        if change:
            changes[change] = None
        tokens.append(own_text)
    command = CommandText(name, joined(tokens))
    return _Understood(name, command, "; ".join(changes), tuple(names.items()), has_signs)


def _permitted(command: CommandText, change: str, options: OptionList) -> tuple[CommandText | None, str]:
    """A command with options or parameters, if a solver with these options accepts it safely."""
    if command.name == "set-option":
        return _option(command.text, options)
    tokens = [token for chunk in chunks(command.text) for token in chunk.tokens]
    if not _parameters_are_safe(tokens, options):
        return (
            None,
            f"({command.name} …) with a parameter that may name a file or change the question left out",
        )
    if command.name in _WITH_TACTICS and not tactics.is_harmless(tokens[2:-1]):
        return None, f"({command.name} …) with a tactic that falsum does not know left out"
    return command, change


def _information(text: str) -> _Understood:
    tokens = next(chunks(text)).tokens
    if len(tokens) == 5 and tokens[2] in _INFORMATION and _PLAIN_WORD.match(tokens[3]):
        return _Understood("set-info", CommandText("set-info", f"(set-info {tokens[2]} {tokens[3]})"))
    return _Understood("set-info", None)  # comments by another name


def _option(text: str, options: OptionList) -> tuple[CommandText | None, str]:
    tokens = next(chunks(text)).tokens
    key = tokens[2] if len(tokens) == 5 and _KEYWORD.match(tokens[2]) else ""
    if not key:
        return None, "(set-option …) of an unknown form left out"
    if is_sign(tokens[3]) or not options.may_set(key, tokens[3]):
        return None, f"(set-option {key} …) left out"
    return CommandText("set-option", text), ""


def _parameters_are_safe(tokens: list[str], options: OptionList) -> bool:
    """Whether every keyword is a parameter that may be passed, with the value that follows it."""
    return all(
        _KEYWORD.match(token) and options.may_pass(token, value)
        for token, value in pairwise(tokens)
        if token.startswith((":", "|:"))
    )
