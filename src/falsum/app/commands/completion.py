"""`falsum completion`: prints what makes a shell complete falsum's commands, options and names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from falsum.app.terminal import echo_exactly

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    To complete commands, options, solvers, strategies and findings with Tab, add a line to the start-up
    file of the shell: eval "$(falsum completion bash)" to ~/.bashrc, eval "$(falsum completion zsh)" to
    ~/.zshrc, or falsum completion fish | source to ~/.config/fish/config.fish.
    """
    complete = get_completion_class(shell)
    assert complete is not None
    echo_exactly(complete(context.find_root().command, {}, "falsum", "_FALSUM_COMPLETE").source())
