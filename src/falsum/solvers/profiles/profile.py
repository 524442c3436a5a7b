"""Profile: all that is known about one solver product, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falsum.smtlib.logics import logic_of
from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.versions import is_before

if TYPE_CHECKING:
    from collections.abc import Mapping

    from falsum.solvers.options import DrawRules


@dataclass(frozen=True, slots=True)
class Sign:
    """A text that tells how a run ended."""

    pattern: re.Pattern[str]
    kind: EndingKind
    cause: Cause = Cause.NONE


def sign(pattern: str, kind: EndingKind, cause: Cause = Cause.NONE) -> Sign:
    return Sign(re.compile(pattern), kind, cause)


@dataclass(frozen=True, slots=True)
class Renaming:
    """Operator names a release does not know yet: releases below `before` get the old ones."""

    before: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Omission:
    """Commands that releases below `before` reject, and that no verdict depends on."""

    before: str
    commands: frozenset[str]


@dataclass(frozen=True, slots=True)
class Profile:
    """A solver product. Texts with `{name}` and `{value}` are templates.

    `library` names the file in `hosts/` that feeds scripts to the product's Python library, for
    packages that bring no program. `interactive` are the arguments that make the program read
    script after script from its standard input, with `(reset)` between; None if it cannot without
    becoming another engine, and for releases from `interactive_before` on, where it is not known;
    `one_line` if it then takes a command only when it stands on one line.
    `sticky` finds settings whose effect `(reset)` does not undo, `cold_only` such as no host survives.
    """

    product: str
    packages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    comes_with_falsum: bool = False
    library: str | None = None
    first_library_release: str = ""
    version_arguments: tuple[str, ...] = ("--version",)
    arguments: tuple[str, ...] = ()
    incremental_arguments: tuple[str, ...] = ()
    incremental_prefix: str = ""
    interactive: tuple[str, ...] | None = None
    interactive_before: str = ""
    one_line: bool = False
    # Whether it prints the text of `(echo "…")`: answers are then matched to checks by markers.
    echoes: bool = False
    option_template: str = "--{name}={value}"
    random_seed: tuple[str, ...] = ()
    strips_status: bool = False
    renamings: tuple[Renaming, ...] = ()
    omissions: tuple[Omission, ...] = ()
    signs: tuple[Sign, ...] = ()
    # Remarks on standard error that void an answer although the program ends well.
    remarks: tuple[Sign, ...] = ()
    harmless: re.Pattern[str] | None = None
    good_exits: frozenset[int] = frozenset({0})
    sticky: re.Pattern[str] | None = None
    cold_only: re.Pattern[str] | None = None
    theories: frozenset[str] = frozenset()
    draw_rules: DrawRules | None = None
    parameters_arguments: tuple[str, ...] = ()
    # The product that took over this one's code: a bug in one may well be a bug in the other.
    successor: str = ""
    licence: str = ""

    def claims(self, logic: str) -> bool:
        """Whether the product says it can decide scripts of a logic; unknown products claim all."""
        return not self.theories or logic_of(logic).needs <= self.theories

    def old_names(self, release: str) -> dict[str, str]:
        """New operator name → the name this release knows, where they differ."""
        names: dict[str, str] = {}
        for renaming in self.renamings:
            if is_before(release, renaming.before):
                names |= renaming.names
        return names

    def omitted(self, release: str) -> frozenset[str]:
        """Names of commands not to be sent to this release."""
        fitting = (each.commands for each in self.omissions if is_before(release, each.before))
        return frozenset().union(*fitting)

    def staying(self, release: str) -> tuple[str, ...] | None:
        """The arguments that make the program of this release stay; None if it cannot."""
        unknown = self.interactive_before and not is_before(release, self.interactive_before)
        return None if unknown else self.interactive

    def reads_text(self, release: str) -> bool:
        """Whether this release's library can read SMT-LIB at all."""
        return not self.first_library_release or not is_before(release, self.first_library_release)
