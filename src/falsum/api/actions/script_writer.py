"""ScriptWriter: collects the commands of a script that does what a trace does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falsum.smtlib.scripts import Command, Script, SetLogic, SetOption

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from falsum.api.model.mirror import Mirror
    from falsum.smtlib.terms import Term


class ScriptWriter:
    """The commands so far, for the whole of a trace, whose mirror is given.

    All declarations come first, before the first command that may need them: a library's terms survive
    `pop`, those of a script do not.
    """

    def __init__(self, mirror: Mirror, needed: Collection[str], present: Collection[str]) -> None:
        """`present` are the options that the trace sets; `needed` are those that its commands require."""
        self._mirror = mirror
        self._options = [SetOption(keyword, "true") for keyword in needed if keyword not in present]
        self._commands: list[Command] = list(self._options)
        self._is_declared = self._has_logic = False
        self.extras = mirror.extras
        self.names_assertions = ":produce-unsat-cores" in needed

    @property
    def count(self) -> int:
        return len(self._commands)

    def terms(self, names: Sequence[str]) -> list[Term]:
        """The terms of names of the trace."""
        return [self._mirror.entry(name).term for name in names]

    def add(self, *commands: Command) -> None:
        self._commands += commands
        self._has_logic |= any(isinstance(command, SetLogic) for command in commands)

    def declare(self) -> None:
        """Write all declarations, unless they are there."""
        if not self._is_declared:
            if not self._has_logic:
                self._commands.append(SetLogic("ALL"))  # a library needs none, but some programs do
            self._commands += self._mirror.declarations
            self._is_declared = True

    def start_again(self) -> None:
        """Write again what `reset` removes."""
        self._is_declared = self._has_logic = False
        self._commands += self._options

    def script(self) -> Script:
        return Script(tuple(self._commands))
