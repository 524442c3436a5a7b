"""SafeScript: the part of a script that may be sent to a solver, printed so that every solver reads it alike.

Seeds are hostile: they may name files to write, forge answers, or end the session, in spellings that only
some solver understands. So nothing is filtered out of the text; what is sent is put together from the
commands that falsum understands:

* the command is on the list of commands, spelled plainly;
* an option or a parameter of a tactic cannot name a file, a program or a socket, by the list of the solver's
  release (`profiles/option_list.py`), and its value is a number, a Boolean or a plain word;
* the text has no comments, no control characters, and no token that solvers end at different places: no
  backslash in a quoted symbol, none in front of a quote in a string.

Everything else is left out, and `changes` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from falsum.smtlib.syntax.command_shapes import SHAPES
from falsum.smtlib.syntax.commands import READERS
from falsum.smtlib.text.command_text import CHECK_COMMANDS, MAX_KEPT, CommandText, split_commands
from falsum.smtlib.text.lexer import chunks
from falsum.solvers.profiles.option_list import UNLISTED, OptionList

# Commands that print what the script says, read files, name programs to run, or only make sense at a prompt.
_NEVER_SENT: Final = frozenset(
    "echo include declare-oracle-fun help help-tactic get-user-tactics dbg-lt exit set-info-logic".split()
)
_SENT: Final = (frozenset(READERS) | frozenset(SHAPES)) - _NEVER_SENT
# Commands whose keywords are parameters of engines, and so may name files.
_WITH_PARAMETERS: Final = frozenset(
    "check-sat-using apply declare-tactic query simplify eval check-synth find-synth".split()
)
_WITH_OPTIONS: Final = _WITH_PARAMETERS | {"set-option"}
_INFORMATION: Final = frozenset({":status", ":smt-lib-version"})
_LEFT_OUT: Final = "left out"
_KEYWORD: Final = re.compile(r":[A-Za-z0-9_.-]++\Z")
_PLAIN_WORD: Final = re.compile(r"[A-Za-z0-9.-]++\Z")

_BLANK: Final = re.compile(r"\ufeff?(?:\s|;[^\n]*+)*+\Z")
_NAME: Final = re.compile(r"[a-z][a-z-]*+\Z")
# Text that every solver cuts into the same tokens as we do.
_UNAMBIGUOUS: Final = re.compile(
    r"(?:[A-Za-z0-9~!@$%^&*_+=<>.?/()\- \t\n]|(?<=[\s(])(?::(?=[A-Za-z])|#(?=[bxf][0-9a-fA-F])))*+\Z"
)
_TOKEN: Final = re.compile(r":?[A-Za-z0-9~!@$%^&*_+=<>.?/-]+|#[bxf][0-9a-fA-Fm]+|[()]")
_QUOTED: Final = re.compile(r"\|[^|\\\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*\|")
_STRING: Final = re.compile(r'"(?:[^"\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|"")*"')
_BACKSLASH_AT_QUOTE: Final = re.compile(r'\\(?=")')


@dataclass(frozen=True, slots=True)
class SafeScript:
    """`changes` says what of the script is not there, or is written differently."""

    commands: tuple[CommandText, ...]
    changes: tuple[str, ...]

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the script is not there."""
        return tuple(change for change in self.changes if change.endswith(_LEFT_OUT))

    @property
    def text(self) -> str:
        return "".join(f"{command.text}\n" for command in self.commands)


def safe_script(script: str, options: OptionList = UNLISTED) -> SafeScript:
    """The commands of a script that may be sent to a solver with these options."""
    return _for_all(script) or _sent(_commands(script), options)


def assertions_sent(text: str) -> int:
    """How many assertions of a script are sent."""
    return sum(command.name == "assert" for command in safe_script(text).commands)


@lru_cache(maxsize=8)
def _for_all(script: str) -> SafeScript | None:
    """What solvers get whatever their options: None if the script sets some, which most scripts do not."""
    commands = _commands(script)
    return _sent(commands, UNLISTED) if all(c.name not in _WITH_OPTIONS for c in commands) else None


def _sent(commands: Iterable[_Understood], options: OptionList) -> SafeScript:
    sent: list[CommandText] = []
    changes: dict[str, None] = {}  # ordered, each once
    checked = False
    for name, understood, remark in commands:
        if name == "exit" or (name == "reset" and checked):
            changes[f"({name}) and everything after it left out"] = None
            break
        if name == "reset":
            changes["(reset) and everything before it left out"] = None
            sent.clear()
            continue
        command, change = understood, remark
        if understood is not None and name in _WITH_OPTIONS:
            command, change = _permitted(understood, remark, options)
        if change:
            changes[change] = None
        if command is not None:
            sent.append(command)
            checked = checked or name in CHECK_COMMANDS
    return SafeScript(tuple(sent), tuple(changes))


class _Understood(NamedTuple):
    """A command as any solver may get it, None if none may, and what is to be said about it."""

    name: str
    command: CommandText | None
    change: str


@lru_cache(maxsize=8)
def _commands(script: str) -> tuple[_Understood, ...]:
    """The commands of a script up to its end; cached, since several solvers get one script."""
    found: list[_Understood] = []
    for written in split_commands(script)[0]:
        understand = _understood_once if len(written.text) <= MAX_KEPT else _understood
        understood = understand(written.name, written.text)  # strings know their hashes, records do not
        found.append(understood)
        if understood.name == "exit":
            break
    return tuple(found)


def _understood(written: str, text: str) -> _Understood:
    name = written if _NAME.match(written) else _name_of(text)
    if name == "exit":
        return _Understood(name, None, "")
    return _Understood(name, *(_safe(name, text) if name else (None, _remark_on(text))))


# Mutants of a seed have most commands in common.
_understood_once = lru_cache(maxsize=2048)(_understood)


def _remark_on(text: str) -> str:
    """What is to be said about text that is no command: nothing if it is white space and comments."""
    return "" if _BLANK.match(text) else "text that is not a command left out"


def _name_of(text: str) -> str:
    """The name of a command that has comments or more in front of it; nothing if there is no command."""
    if not text.startswith("(") or not text.endswith(")"):
        return ""
    tokens = next(chunks(text)).tokens
    return tokens[1] if len(tokens) > 2 and _NAME.match(tokens[1]) else ""


def _safe(name: str, text: str) -> tuple[CommandText | None, str]:
    """The command as it may be sent, if it may whatever its options, and what is to be said about it."""
    if name not in _SENT:
        return (
            None,
            f"({name} …) left out"
            if name in _NEVER_SENT
            else f"({name} …), which falsum does not know, left out",
        )
    if name == "set-info":
        return _information(text)
    change = ""
    if not _UNAMBIGUOUS.match(text):
        tokens = [_safe_token(token) for chunk in chunks(text) for token in chunk.tokens]
        if None in tokens:
            return None, f"({name} …) with a token solvers read differently left out"
        joined = _joined([token for token in tokens if token])
        change = "backslashes before quotes written as \\u{5c}" if _BACKSLASH_AT_QUOTE.search(text) else ""
        text = joined
    return CommandText(name, text), change


def _permitted(command: CommandText, change: str, options: OptionList) -> tuple[CommandText | None, str]:
    """A command with options or parameters, if a solver with these options may get it."""
    if command.name == "set-option":
        return _option(command.text, options)
    if not _parameters_are_safe(command.text, options):
        return None, f"({command.name} …) with a parameter that may name a file left out"
    return command, change


def _joined(tokens: list[str]) -> str:
    """Tokens as text, with spaces only where they are needed."""
    out = []
    before = "("
    for token in tokens:
        if before != "(" and token != ")":
            out.append(" ")
        out.append(token)
        before = token
    return "".join(out)


def _information(text: str) -> tuple[CommandText | None, str]:
    tokens = next(chunks(text)).tokens
    if len(tokens) == 5 and tokens[2] in _INFORMATION and _PLAIN_WORD.match(tokens[3]):
        return CommandText("set-info", f"(set-info {tokens[2]} {tokens[3]})"), ""
    return None, ""  # comments by another name


def _option(text: str, options: OptionList) -> tuple[CommandText | None, str]:
    tokens = next(chunks(text)).tokens
    key = tokens[2] if len(tokens) == 5 and _KEYWORD.match(tokens[2]) else ""
    if not key:
        return None, "(set-option …) of an unknown form left out"
    if not options.may_set(key, tokens[3]):
        return None, f"(set-option {key} …) left out"
    return CommandText("set-option", text), ""


def _parameters_are_safe(text: str, options: OptionList) -> bool:
    """Whether every keyword is a parameter that may be passed, with the value that follows it."""
    tokens = [token for chunk in chunks(text) for token in chunk.tokens]
    return all(
        _KEYWORD.match(token) and options.may_pass(token, value)
        for token, value in pairwise(tokens)
        if token.startswith((":", "|:"))
    )


def _safe_token(token: str) -> str | None:
    """The token so that every solver reads it alike, or None."""
    if token[0] == '"':
        return _BACKSLASH_AT_QUOTE.sub(r"\\u{5c}", token) if _STRING.fullmatch(token) else None
    if token[0] == "|":
        return token if _QUOTED.fullmatch(token) else None
    return token if _TOKEN.fullmatch(token) else None
