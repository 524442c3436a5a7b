"""CommandGroup: commands with sub-commands; options mean the same before and after the sub-command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click


class CommandGroup(click.Group):
    """A group of commands; `default` is the sub-command used where none is named."""

    def __init__(self, *arguments: Any, default: str = "", **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._with_options_behind(ctx, list(args)))

    def _with_options_behind(self, ctx: click.Context, words: list[str]) -> list[str]:
        """The words with the sub-command first, followed by the options that stood before it."""
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if words and (words[0] in own or not words[0].startswith("-")):
            return words
        for place, word in enumerate(words):
            command = self.get_command(ctx, word) if word in self.list_commands(ctx) else None
            if command is not None and _takes(ctx, command, words[:place]):
                return [word, *words[:place], *words[place + 1 :]]
        # While a shell completes a line, the sub-command may still come.
        is_whole = self.default and not ctx.resilient_parsing
        default = self.get_command(ctx, self.default) if is_whole else None
        if default is not None and _takes(ctx, default, words):
            return [self.default, *words]
        return words


def _takes(ctx: click.Context, command: click.Command, words: Sequence[str]) -> bool:
    """Whether the words are options of a command with their values."""
    options = {name: option for option in _options(ctx, command) for name in option.opts}
    place = 0
    while place < len(words):
        name, equals, _value = words[place].partition("=")
        option = options.get(name)
        if option is None and (option := options.get(name[:2])) is not None and name[1] != "-":
            equals = equals or "joined"  # -j4
        if option is None:
            return False
        place += 1 if equals or option.is_flag else 2
    return place == len(words)


def _options(ctx: click.Context, command: click.Command) -> Iterator[click.Option]:
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            if inner is not None:
                yield from _options(ctx, inner)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield parameter
