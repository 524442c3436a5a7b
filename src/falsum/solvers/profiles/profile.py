"""Profile: everything known about one solver product, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from falsum.smtlib.logics import logic_of
from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.options import NONE, NeutralOptions
from falsum.solvers.profiles.option_list import UNLISTED, OptionList, option_list
from falsum.solvers.versions import is_before

if TYPE_CHECKING:
    from collections.abc import Mapping

    from falsum.solvers.options import DrawRules

_BOOLEANS: Final = {"true": "", "false": "no-"}


@dataclass(frozen=True, slots=True)
class EndingPattern:
    """A text in the output that tells how a run ended; its group `detail`, if any, is the evidence."""

    pattern: re.Pattern[str]
    kind: EndingKind
    cause: Cause = Cause.NONE


def ending(pattern: str, kind: EndingKind, cause: Cause = Cause.NONE) -> EndingPattern:
    r"""An ending pattern, which begins with a word, or at the start of a line or a word.

    `[^\n]*` or `\S*` from every letter of a long line takes quadratic time.
    """
    return EndingPattern(re.compile(pattern), kind, cause)


@dataclass(frozen=True, slots=True)
class Renaming:
    """Names of operators and sorts that releases before `before` do not know: new name → old name, or how the
    sort was written.
    """

    before: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Omission:
    """Commands that releases before `before` reject, and that no verdict depends on."""

    before: str
    commands: frozenset[str]


@dataclass(frozen=True, slots=True)
class ProofFormat:
    """A format of proofs: the commands that turn it on, with the product's own checker where it has one.

    `checker` names the external program that reads the format.
    """

    name: str
    commands: str
    checker: str = ""


@dataclass(frozen=True, slots=True)
class OwnLimit:
    """An option of a script that limits each check, with values to try: milliseconds if `is_time`, else steps
    as the product counts them.
    """

    option: str
    values: tuple[int, ...]
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """A solver product."""

    product: str
    # Packages of the package index, the first with the solver; names of the program.
    packages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    is_bundled: bool = False
    # The newest release of the project, where no package has it: reports say that it was not tested.
    newest_without_package: str = ""
    # The Python module of its library.
    module: str = ""
    # The file in `hosts/` that feeds scripts to the Python library, for packages without a program.
    library: str | None = None
    first_parsing_release: str = ""
    # Command lines.
    version_arguments: tuple[str, ...] = ("--version",)
    arguments: tuple[str, ...] = ()
    incremental_arguments: tuple[str, ...] = ()
    # Further arguments for synthesis problems; None if it does not solve such.
    synthesis_arguments: tuple[str, ...] | None = None
    incremental_prefix: str = ""
    # The program reads script after script from standard input, with `(reset)` between them; None if it
    # cannot without becoming another engine. Releases before `interactive_from` keep what is echoed to
    # themselves, and from `interactive_before` on it is not known whether it can.
    interactive: tuple[str, ...] | None = None
    interactive_from: str = ""
    interactive_before: str = ""
    # It keeps what `(reset)` should drop, and so takes longer for each script than for the one before.
    tires: bool = False
    # Interactively, it takes a command only if it is on one line.
    one_line: bool = False
    # With `{name}` and `{value}`; and whether Booleans are `--name` and `--no-name` instead.
    option_template: str = "--{name}={value}"
    has_bare_flags: bool = False
    seed_options: tuple[str, ...] = ()
    # Options of a script that make it find other models, each with values to draw from: `#` is a random
    # number, and an empty value leaves the option alone.
    model_options: tuple[tuple[str, tuple[str, ...]], ...] = (("random-seed", ("#",)),)
    # Checks to draw from for the same purpose.
    model_checks: tuple[str, ...] = ("(check-sat)",)
    # Tactics for `(check-sat-using …)` that keep satisfiability, of all its releases that are tested.
    tactics: tuple[str, ...] = ()
    # Dialect.
    strips_status: bool = False
    # Whether it prints the text of `(echo …)`.
    echoes: bool = False
    # Whether declarations survive `(reset-assertions)`.
    keeps_declarations: bool = False
    # Whether a host of it answers `(get-info :all-statistics)`, at little cost.
    has_statistics: bool = False
    # Questions that it answers after any check, whatever the verdict: its count of steps, why it gave up.
    check_info: tuple[str, ...] = ()
    renamings: tuple[Renaming, ...] = ()
    # Releases before this one print strings with escapes that the standard does not have.
    old_escapes_before: str = ""
    omissions: tuple[Omission, ...] = ()
    # Output.
    ending_patterns: tuple[EndingPattern, ...] = ()
    # Warnings on standard error that void the verdicts although the program ends normally.
    fatal_warnings: tuple[EndingPattern, ...] = ()
    # Errors that void nothing, such as a request for a model after unsat.
    harmless_errors: re.Pattern[str] | None = None
    # Lines that a report does without: they are about the script and not part of an answer.
    advice: re.Pattern[str] | None = None
    normal_exits: frozenset[int] = frozenset({0})
    # With which it ends when something in it has failed, whether it says so or not.
    crash_exits: frozenset[int] = frozenset()
    # Settings in a script that a host keeps after `(reset)`, and such that no host can be used afterwards.
    persistent_settings: re.Pattern[str] | None = None
    cold_only: re.Pattern[str] | None = None
    # Theories it says it decides; empty if that is not known.
    theories: frozenset[str] = frozenset()
    # Settings with which it takes other engines, or does without simplification.
    engines: tuple[tuple[str, str], ...] = ()
    # Fragments on which it never gives up, as names of logics.
    decides: tuple[str, ...] = ()
    proofs: tuple[ProofFormat, ...] = ()
    limits: tuple[OwnLimit, ...] = ()
    # Options. The list of those its releases have, below `option_lists/` or by its path; and those in it
    # whose values are any text, but which name no file, program or socket.
    option_list: str = ""
    harmless_texts: frozenset[str] = frozenset()
    # Which of them change neither the question nor what may be printed: only these are sent and drawn.
    neutral_options: NeutralOptions = NONE
    draw_rules: DrawRules | None = None
    parameters_arguments: tuple[str, ...] = ()
    # With which it prints its options as a help text, where it has no other list.
    help_arguments: tuple[str, ...] = ()
    # The product that continues this one's code: a bug in one may well be a bug in the other.
    successor: str = ""
    licence: str = ""

    def claims(self, logic: str) -> bool:
        """Whether the product claims to decide scripts of a logic; unknown products claim all."""
        return not self.theories or logic_of(logic).needs <= self.theories

    def flag(self, name: str, value: str) -> str:
        """An option as an argument of the program."""
        if self.has_bare_flags and value in _BOOLEANS:
            return f"--{_BOOLEANS[value]}{name}"
        return self.option_template.format(name=name, value=value)

    def old_names(self, release: str) -> dict[str, str]:
        """New operator name → the name in this release, where they differ."""
        names: dict[str, str] = {}
        for renaming in self.renamings:
            if is_before(release, renaming.before):
                names |= renaming.names
        return names

    def prints_old_escapes(self, release: str) -> bool:
        return bool(self.old_escapes_before) and is_before(release, self.old_escapes_before)

    def omitted_commands(self, release: str) -> frozenset[str]:
        """Names of commands that this release must not get."""
        fitting = (each.commands for each in self.omissions if is_before(release, each.before))
        return frozenset().union(*fitting)

    def options_of(self, release: str, *, limits: bool = False) -> OptionList:
        """The options of a release that a script may set; `limits` of effort among them."""
        if not self.option_list:
            return UNLISTED
        return option_list(
            self.option_list, self.harmless_texts, release, self.neutral_options, sends_limits=limits
        )

    def warm_arguments(self, release: str) -> tuple[str, ...] | None:
        """The arguments that make this release's program a host; None if it cannot be one."""
        too_old = self.interactive_from and is_before(release, self.interactive_from)
        unknown = self.interactive_before and not is_before(release, self.interactive_before)
        return None if too_old or unknown else self.interactive

    def parses_scripts(self, release: str) -> bool:
        """Whether this release's library can parse SMT-LIB."""
        return not self.first_parsing_release or not is_before(release, self.first_parsing_release)
