"""OptionList: the options of a solver's release that a script may set, by the release's own list.

Scripts are hostile, so they set only options that cannot name a file, a program or a socket: those listed
with a kind other than text (a Boolean, a number, one word of several), and those whose text is harmless
according to the profile. They must also be neutral (`neutral_options`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from falsum.solvers.options import NONE, STANDARD, NeutralOptions, plain_name
from falsum.solvers.versions import UNKNOWN, parse_version

TEXT: Final = "text"
FOLDER: Final = Path(__file__).with_name("option_lists")

# Verifiers write numbers as symbols, too: `(set-option :smt.restart_factor |1.5|)`.
_PLAIN: Final = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9_-]*+|-?[0-9]++(?:\.[0-9]++)?|\|-?[0-9]++(?:\.[0-9]++)?\|)\Z"
)
_NEVER_A_NAME: Final = re.compile(r"(?:true|false|-?[0-9]++(?:\.[0-9]++)?)\Z")


@dataclass(frozen=True, slots=True)
class OptionList:
    """The kinds of a release's options and of the parameters of its tactics, by name.

    `harmless` are those of kind text that name nothing outside the solver. `whole_names` are the options of
    modules without the module's name. With `sends_limits`, scripts may limit the solver's effort.
    """

    options: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    whole_names: dict[str, list[str]] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()
    neutral: NeutralOptions = NONE
    sends_limits: bool = False

    def may_set(self, option: str, value: str) -> bool:
        """Whether a script may set an option to a value."""
        name = plain_name(option)
        if name in STANDARD:
            return bool(_PLAIN.match(value))
        is_limit = self.sends_limits and self.neutral.limits.fullmatch(name) is not None and value.isdecimal()
        is_allowed = is_limit or self.neutral.allows(name, value)
        return is_allowed and self._is_harmless(self.options.get(name), name, value)

    def may_pass(self, parameter: str, value: str) -> bool:
        """Whether a script may call a tactic or an engine with a parameter."""
        name = plain_name(parameter)
        whole = [name, *self.whole_names.get(name, ())]
        if not all(self.neutral.others.search(each) is None for each in whole):
            return False
        if not any(self.neutral.allows(each, value) for each in whole):
            return False
        return self._is_harmless(self.parameters.get(name, self.options.get(name)), name, value)

    def _is_harmless(self, kind: str | None, name: str, value: str) -> bool:
        if kind is None:
            return name in self.neutral.unlisted and bool(_NEVER_A_NAME.match(value))
        return bool(_PLAIN.match(value)) and (kind != TEXT or name in self.harmless)


UNLISTED: Final = OptionList()


@cache
def option_list(
    file: str,
    harmless: frozenset[str],
    release: str,
    neutral: NeutralOptions = NONE,
    *,
    sends_limits: bool = False,
) -> OptionList:
    """The list of a release, read from a file below `FOLDER` or elsewhere.

    A release that is not in the file has the options of the last one before it. For an unknown release, an
    option that is text in some release counts as text.
    """
    lines = [line.split() for line in (FOLDER / file).read_text(encoding="utf-8").splitlines()]
    examined = next(line[1:] for line in lines if line[0] == "releases")
    place = _place_of(release, examined)
    names: dict[str, dict[str, str]] = {"option": {}, "parameter": {}}
    for section, name, kind, *span in (line for line in lines if line[0] in names):
        first = examined.index(span[0]) if span and span[0] != "-" else 0
        last = examined.index(span[1]) if span and span[1] != "-" else len(examined) - 1
        if place is None or first <= place <= last:
            _note(names[section], name, kind)
    # The engines of a module take its options without its name.
    whole_names: dict[str, list[str]] = {}
    for name, kind in names["option"].items():
        if "." in name:
            short = name.partition(".")[2]
            _note(names["parameter"], short, kind)
            whole_names.setdefault(short, []).append(name)
    plain = frozenset(plain_name(name) for name in harmless)
    stripped = frozenset(name.partition(".")[2] for name in plain if "." in name)
    return OptionList(
        names["option"], names["parameter"], whole_names, plain | stripped, neutral, sends_limits
    )


def _note(kinds: dict[str, str], name: str, kind: str) -> None:
    """Note the kind of a name; text if one of several kinds is text."""
    plain = plain_name(name)
    if kinds.get(plain) != TEXT:
        kinds[plain] = kind


def _place_of(release: str, examined: list[str]) -> int | None:
    version = parse_version(release)
    if version is UNKNOWN:
        return None
    before = [place for place, each in enumerate(examined) if parse_version(each) <= version]
    return before[-1] if before else 0
