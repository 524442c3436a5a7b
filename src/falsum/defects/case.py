"""Case: a mutant for the oracles, with the seeds it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.scripts import CheckSatAssuming, DefineFun, DefineFunsRec, SetLogic, SetOption
from falsum.smtlib.terms import Term
from falsum.solvers.inputs.safe_script import missing_part
from falsum.solvers.request import Want
from falsum.strategies.mutant import Mutant, Seed


@dataclass(frozen=True)
class Case:
    """A mutant for the oracles. `want` is what the solvers are asked for besides verdicts: some bugs show
    only while models are produced.

    `draw` replaces the script's own random number for what oracles draw, so that a reduced script gets the
    same questions as the original.
    """

    mutant: Mutant
    seeds: tuple[Seed, ...] = ()
    want: Want = Want.VERDICT
    draw: int | None = None

    @property
    def draw_number(self) -> int:
        """The random number for what oracles draw."""
        return crc32(self.text.encode(errors="replace")) if self.draw is None else self.draw

    @property
    def text(self) -> str:
        return self.mutant.text

    @cached_property
    def script(self) -> Script | None:
        """The mutant as a script; None if it cannot be read."""
        try:
            return read_script(self.mutant.text)
        except FalsumError:
            return None

    @cached_property
    def checks(self) -> tuple[Script, ...]:
        """The assertions at each check of the mutant, as flat scripts; none if it cannot be read."""
        return tuple(at_each_check(self.script)) if self.script is not None else ()

    @property
    def is_understood(self) -> bool:
        """Whether every command of the mutant can be read, and solvers get every part that matters."""
        return self.script is not None and not self.script.not_understood and self.is_whole

    @cached_property
    def is_whole(self) -> bool:
        """Whether solvers get every part of the mutant that matters to its answers."""
        return not missing_part(self.text)

    @cached_property
    def settings(self) -> str:
        """The options that the mutant sets, and its logic, as text."""
        commands = self.script.commands if self.script is not None else ()
        return print_script(Script(tuple(c for c in commands if isinstance(c, SetOption | SetLogic))))

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The assertions, assumptions and definitions of the mutant; nothing if it cannot be read."""
        return terms_of(self.script) if self.script is not None else ()


def terms_of(script: Script) -> tuple[Term, ...]:
    """What a script asserts, assumes and defines."""
    distinct: list[Term] = []
    for command in script.commands:
        match command:
            case DefineFun(body=body):
                distinct.append(body)
            case DefineFunsRec(bodies=bodies):
                distinct.extend(bodies)
            case CheckSatAssuming(terms=terms):
                distinct.extend(terms)
            case _:
                pass
    return (*distinct, *script.assertions)
