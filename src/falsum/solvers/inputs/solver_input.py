"""SolverInput: the safe part of a script in the dialect of one solver, with the requests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from falsum.smtlib.term_names import assertion_name, unused_prefix
from falsum.smtlib.text.command_text import CHECK_COMMANDS, CommandText
from falsum.smtlib.text.script_modes import MEANINGS, in_mode
from falsum.solvers.content import begin, end
from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.request import Want

if TYPE_CHECKING:
    from collections.abc import Mapping

    from falsum.solvers.profiles.profile import Profile

_SCOPES = frozenset({"push", "pop", "check-sat-assuming", "reset-assertions"})
_PRINTS = frozenset(
    "get-value get-assertions get-assignment get-info get-option get-proof get-model get-unsat-core "
    "get-unsat-assumptions simplify eval display labels get-objectives".split()
)
# The option in front, and the command after the last check.
_REQUESTS = {
    Want.MODEL: (":produce-models", "get-model"),
    Want.CORE: (":produce-unsat-cores", "get-unsat-core"),
    Want.ASSUMPTIONS: (":produce-unsat-assumptions", "get-unsat-assumptions"),
}
# Those of a script itself.
_OWN_REQUESTS = ("get-model", "get-unsat-core")
_STATUS = re.compile(r"\(\s*set-info\s+:status\b")
# Stands where a marker belongs; no safe script has such a character.
SLOT = "\0"
_WORD = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|[^\s()"|;]++')
_SOURCE = r"\(\s*set-info\s+:\S+\s+\|[^|]*+\|\s*\)"  # often long, without effect
_LINE_END = re.compile(rf'{_SOURCE}|("(?:[^"]|"")*+"|\|[^|]*+\|)|;[^\n]*+|\s*\n\s*')
_DECLARED = re.compile(r"\(\s*(?:declare|define)-[a-z-]+\s+([^\s()]+)")
_ASSERTED = re.compile(r"\(\s*assert\b(.*)\)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SolverInput:
    """`changes` says how the text differs from the script. `allows_warm`: a host that answers it can answer
    other scripts afterwards. `persistent_settings` survive a `(reset)`: only scripts with the same ones may
    share a host. `slotted` is the text with slots for markers around every check and request.
    """

    slotted: str
    changes: tuple[str, ...]
    incremental: bool
    allows_warm: bool
    persistent_settings: tuple[str, ...]
    checks: int
    # Functions are to be found: the solver reads the script as a synthesis problem.
    is_synthesis: bool = False
    # Of `SafeScript`: names that are replaced, and whether strings may look like what a crash prints.
    names: Mapping[str, str] = field(default_factory=dict)
    has_signs: bool = False
    # Strings in what its release prints are not as the standard writes them.
    old_escapes: bool = False

    @property
    def text(self) -> str:
        """The text without markers, as it is stored and reported."""
        return self.slotted.replace(SLOT, "")

    def limited(self, limit: str) -> SolverInput:
        """The same input under a limit of the solver's own, which a running process would keep."""
        text = f"(set-option :{limit})\n{self.slotted}"
        changes = (*self.changes, f"limited by :{limit}")
        return replace(self, slotted=text, changes=changes, allows_warm=False)

    def marked(self, secret: str) -> str:
        """The text with markers of the secret before and after every check, with its number, and around
        requests, with the numbers behind it.

        Output between two markers comes from what is between them, whatever else a script prints.
        """
        first, *parts = self.slotted.split(SLOT)
        out = [first]
        for number, part in enumerate(parts):
            marker = (end if number % 2 else begin)(secret, number // 2)
            out.append(f'(echo "{marker}")\n{part}')
        return "".join(out)


def prepare(
    script: str,
    profile: Profile,
    release: str,
    want: Want = Want.VERDICT,
    mode: str = "",
    *,
    limits: bool = False,
) -> SolverInput:
    """The safe part of a script in the release's dialect, with the requests that are wanted.

    In a `mode` the script is rewritten equivalently, if it allows that. With `limits`, the limits of effort
    that the script sets are sent as well.
    """
    safe = safe_script(script, profile.options_of(release, limits=limits))
    commands = list(safe.commands)
    changes = list(safe.changes)
    if profile.strips_status and any(map(_is_status, commands)):
        commands = [command for command in commands if not _is_status(command)]
        changes.append("(set-info :status …) removed")
    if mode and (mode_commands := _in_mode(commands, mode, profile)) is not None:
        commands = mode_commands
        changes.append(MEANINGS[mode])
    if want is not Want.VERDICT:
        commands = _with_request(want, commands)
        changes.append(f"asked for a {want}")
    omitted = profile.omitted_commands(release)
    if omitted and any(command.name in omitted for command in commands):
        commands = [command for command in commands if command.name not in omitted]
        changes.append("commands its release does not know removed")
    names = [command.name for command in commands]
    checks = sum(map(names.count, CHECK_COMMANDS))
    incremental = checks > 1 or not _SCOPES.isdisjoint(names)
    allows_warm = True
    if profile.one_line and profile.warm_arguments(release):
        commands = [_on_one_line(command) for command in commands]
    last = max((place for place, name in enumerate(names) if name in CHECK_COMMANDS), default=0)
    marked: set[int] = set()
    if not profile.echoes:
        commands = _without_prints(commands, last)
    elif checks:
        marked.update(_requests(want, commands, last))
        marked.update(place for place, name in enumerate(names) if name in CHECK_COMMANDS)
    lines = [
        f"{SLOT}{command.text}\n{SLOT}" if place in marked else f"{command.text}\n"
        for place, command in enumerate(commands)
    ]
    text = "".join(lines)
    if incremental and profile.incremental_prefix:
        text = profile.incremental_prefix + text
    old_names = profile.old_names(release)
    if old_names:
        other_text = _renamed(text, old_names)
        if other_text != text:
            changes.append("written with the operator names of its release")
            text = other_text
    allows_warm &= not (profile.cold_only and profile.cold_only.search(text))
    persistent = tuple(profile.persistent_settings.findall(text)) if profile.persistent_settings else ()
    is_synthesis = "check-synth" in names
    allows_warm &= not is_synthesis
    return SolverInput(
        text,
        tuple(changes),
        incremental,
        allows_warm,
        persistent,
        checks,
        is_synthesis,
        safe.names,
        safe.has_signs,
        profile.prints_old_escapes(release),
    )


def _renamed(text: str, old_names: Mapping[str, str]) -> str:
    """The text with old operator names, except for symbols and sorts that it declares itself."""
    if not any(name in text for name in old_names):
        return text
    text_renamed = _WORD.sub(lambda word: old_names.get(word[0], word[0]), text)
    own = set(_DECLARED.findall(text)) if text_renamed != text else set()
    if own.isdisjoint(old_names):
        return text_renamed
    return _WORD.sub(lambda word: word[0] if word[0] in own else old_names.get(word[0], word[0]), text)


def _is_status(command: CommandText) -> bool:
    return command.name == "set-info" and _STATUS.match(command.text) is not None


def _in_mode(commands: list[CommandText], mode: str, profile: Profile) -> list[CommandText] | None:
    """The commands in a mode; None if the mode does not apply, or if answers could not be told apart."""
    if not profile.echoes:
        return None
    return in_mode(commands, mode, keeps_declarations=profile.keeps_declarations)


def _requests(want: Want, commands: list[CommandText], last_check: int) -> list[int]:
    """The places of the request, or of the script's own first ones for a model and a core."""
    wanted = [_REQUESTS[want][1]] if want is not Want.VERDICT else list(_OWN_REQUESTS)
    names = [command.name for command in commands]
    return [names.index(name, last_check) for name in wanted if name in names[last_check:]]


def _without_prints(commands: list[CommandText], last_check: int) -> list[CommandText]:
    """The commands without those before the last check that print text from the script, for programs
    whose output has no markers.
    """
    return [
        command
        for place, command in enumerate(commands)
        if place >= last_check or command.name not in _PRINTS
    ]


def _on_one_line(command: CommandText) -> CommandText:
    """The command without comments, on one line unless a string or a quoted name in it spans several."""
    return CommandText(command.name, _LINE_END.sub(lambda found: found[1] or " ", command.text).strip())


def _with_request(want: Want, commands: list[CommandText]) -> list[CommandText]:
    """The same commands, with the option at the beginning and the request after the last check."""
    option, request = _REQUESTS[want]
    others = [command for command in commands if command.name != "set-option" or option not in command.text]
    if want is Want.CORE:
        numbers = count()
        prefix = unused_prefix("".join(command.text for command in others))
        others = [_named(one, next(numbers), prefix) if one.name == "assert" else one for one in others]
    checks = [place for place, command in enumerate(others) if command.name in CHECK_COMMANDS]
    if checks:
        others.insert(checks[-1] + 1, CommandText(request, f"({request})"))
    return [CommandText("set-option", f"(set-option {option} true)"), *others]


def _named(assertion: CommandText, number: int, prefix: str) -> CommandText:
    """`(assert F)` → `(assert (! F :named falsum!1))`; an annotated F keeps its own name."""
    match = _ASSERTED.match(assertion.text)
    if match is None or re.match(r"\s*\(\s*!", match[1]):
        return assertion
    return CommandText("assert", f"(assert (!{match[1]}\n :named {assertion_name(number, prefix)}))")
