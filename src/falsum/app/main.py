"""The command `falsum`: finds its sub-commands and turns exceptions into exit codes."""

from __future__ import annotations

import importlib
import logging
import os
import sys

import click

from falsum.app.commands import ALL
from falsum.app.exit_codes import BROKEN_SURROUNDINGS, FOUND, INTERRUPTED, WRONG_USE
from falsum.app.terminal import echo
from falsum.errors import ScriptError, SurroundingsError, UsageError
from falsum.version import __version__


class Commands(click.Group):
    """A group whose commands are modules of `falsum.app.commands`, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(ALL)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in ALL:
            return None
        module = importlib.import_module(f"falsum.app.commands.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="falsum")
def falsum() -> None:
    """Find bugs in SMT solvers and deliver them proved, small and ready to report."""


class _Warnings(logging.Handler):
    """Prints what falsum logs, such as plug-ins that are left out."""

    def emit(self, record: logging.LogRecord) -> None:
        echo(f"falsum: {record.getMessage()}", err=True)


def main(arguments: list[str] | None = None) -> None:
    """The entry point; always raises SystemExit."""
    logging.getLogger("falsum").handlers = [_Warnings()]
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at exit, so it needs somewhere to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _run(arguments: list[str] | None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    # Not `falsum.main`: click would turn a broken pipe into exit code 1, which here means "found".
    try:
        with falsum.make_context("falsum", list(given)) as context:
            done = falsum.invoke(context)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (click.Abort, KeyboardInterrupt):
        echo("falsum: interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return WRONG_USE
    except (ScriptError, UsageError, SurroundingsError) as error:
        echo(f"falsum: {error}", err=True)
        return _code(error)
    return done if isinstance(done, int) else 0


def _code(error: Exception) -> int:
    if isinstance(error, ScriptError):
        return FOUND
    return WRONG_USE if isinstance(error, UsageError) else BROKEN_SURROUNDINGS


if __name__ == "__main__":
    main()
