"""Options that several commands have in common."""

from __future__ import annotations

from typing import Final

import click

from falsum import plugins


def _add_plugins(_context: click.Context, _parameter: click.Parameter, files: tuple[str, ...]) -> None:
    plugins.add_files(files)


# Eager: what a plug-in brings must be there before other options are looked at.
plugin: Final = click.option(
    "--plugin", multiple=True, type=click.Path(exists=True, dir_okay=False), metavar="FILE", is_eager=True,
    expose_value=False, callback=_add_plugins,
    help="Use the plug-ins in a Python file; may be given several times.",
)  # fmt: skip
