"""The command `falsum`: finds its sub-commands and turns exceptions into exit codes."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import sys
import traceback
from typing import Final

import click
from click.shell_completion import shell_complete

from falsum import plugins
from falsum.app.command_group import CommandGroup
from falsum.app.commands import ALL
from falsum.app.exit_codes import (
    BROKEN_SURROUNDINGS,
    FOUND,
    INTERNAL_ERROR,
    INTERRUPTED,
    OUTPUT_CLOSED,
    WRONG_USE,
)
from falsum.app.standard_streams import discard, open_closed
from falsum.app.terminal import echo
from falsum.errors import ScriptError, SurroundingsError, UsageError
from falsum.version import __version__

# Shells ask for completions through this variable.
_COMPLETION: Final = "_FALSUM_COMPLETE"
# With this variable set, internal errors are shown with their traceback.
_TRACEBACK: Final = "FALSUM_TRACEBACK"


class Commands(CommandGroup):
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
    open_closed()
    logging.getLogger("falsum").handlers = [_Warnings()]
    if shell := os.environ.get(_COMPLETION):
        sys.exit(shell_complete(falsum, {}, "falsum", _COMPLETION, shell))
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = OUTPUT_CLOSED
        discard(sys.stdout)
    except OSError as error:  # the output, or the message about it, could not be written
        code = BROKEN_SURROUNDINGS
        discard(sys.stdout)
        with contextlib.suppress(OSError):
            echo(f"falsum: cannot write the output: {_described(error)}", err=True)
    try:
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)
    sys.exit(code)


def _run(arguments: list[str] | None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    # Not `falsum.main`: click would turn a broken pipe into exit code 1, which here means "found".
    try:
        with falsum.make_context("falsum", list(words)) as context:
            status = falsum.invoke(context)
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
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        echo(f"falsum: {_described(error)}", err=True)
        return BROKEN_SURROUNDINGS
    except Exception as error:  # noqa: BLE001 - whatever it is, the user gets a message and an exit code
        echo(_internal_error(error), err=True)
        return BROKEN_SURROUNDINGS if plugins.place_in_plugin(error) else INTERNAL_ERROR
    return status if isinstance(status, int) else 0


def _code(error: Exception) -> int:
    if isinstance(error, ScriptError):
        return FOUND
    return WRONG_USE if isinstance(error, UsageError) else BROKEN_SURROUNDINGS


def _described(error: OSError) -> str:
    """An error about a file or device, such as a full disk, in words for the user."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def _internal_error(error: Exception) -> str:
    if os.environ.get(_TRACEBACK):
        return "".join(traceback.format_exception(error)).rstrip()
    if place := plugins.place_in_plugin(error):
        return (
            f"falsum: a plug-in fails: {type(error).__name__}: {error} ({place})\n"
            f"Run it again with {_TRACEBACK}=1 for the traceback."
        )
    *_, last = traceback.extract_tb(error.__traceback__)
    place = f"{os.path.basename(last.filename)}:{last.lineno}"  # noqa: PTH119 - a name, not a file
    return (
        f"falsum: internal error: {type(error).__name__}: {error} ({place})\n"
        f"This is a bug in falsum {__version__}. Run it again with {_TRACEBACK}=1 for the traceback."
    )


if __name__ == "__main__":
    main()
