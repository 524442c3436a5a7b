"""Options that several commands have in common."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from falsum import plugins
from falsum.app import completions, script_files
from falsum.app.solver_names import absolute_name
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.solvers.instruments import build as builds
from falsum.solvers.supervision import fence as fence_modes
from falsum.trust import trust as trust_names

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_PART: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smhd]?)")
_LONGEST: Final = 10 * 365 * 86400
_MOST_JOBS: Final = 512
_MOST_MEGABYTES: Final = 1 << 24


def duration(text: str) -> float:
    """`90`, `90s`, `10m` or `1h30m`, in seconds."""
    parts = _PART.findall(text)
    seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if not seconds or "".join(number + unit for number, unit in parts) != text:
        raise click.BadParameter(f"invalid duration {text!r}; use e.g. 90s, 10m, 1h30m")
    if seconds > _LONGEST:
        raise click.BadParameter(f"{text!r} is more than ten years; use e.g. 90s, 10m, 1h30m")
    return seconds


def limit(text: str, default: str | None = None) -> Callable[[Decorated], Decorated]:
    """`--timeout`, a duration."""
    return click.option("--timeout", type=duration, default=default, metavar="TIME", help=text)


def number_of_jobs(text: str) -> Callable[[Decorated], Decorated]:
    """`--jobs`, one per core by default."""
    return click.option(
        "--jobs", "-j", type=click.IntRange(1, _MOST_JOBS), default=lambda: len(os.sched_getaffinity(0)),
        metavar="N", help=f"{text} (default: one per core).",
    )  # fmt: skip


def megabytes(text: str) -> Callable[[Decorated], Decorated]:
    """`--memory`."""
    return click.option("--memory", type=click.IntRange(1, _MOST_MEGABYTES), metavar="MB", help=text)


def _add_plugins(_context: click.Context, _parameter: click.Parameter, files: tuple[str, ...]) -> None:
    plugins.add_files(files)


# Eager: what a plug-in brings must be there before other options are looked at.
plugin: Final = click.option(
    "--plugin", multiple=True, type=click.Path(exists=True, dir_okay=False), metavar="FILE", is_eager=True,
    expose_value=False, callback=_add_plugins, help="Use the plug-ins in a Python file; may be repeated.",
)  # fmt: skip


def _set_fence(_context: click.Context, _parameter: click.Parameter, mode: str | None) -> None:
    if mode is not None:
        os.environ[fence_modes.VARIABLE] = mode  # worker processes inherit it


def _set_input_limit(context: click.Context, parameter: click.Parameter, value: float) -> None:
    context.meta[f"{script_files.LIMITS}.{parameter.name}"] = value


def input_limits(command: Decorated) -> Decorated:
    """`--max-size` and `--max-time` of commands that read scripts of others."""
    size = click.option(
        "--max-size", type=click.IntRange(1, _MOST_MEGABYTES), default=script_files.MAX_MEGABYTES,
        metavar="MB", expose_value=False, callback=_set_input_limit,
        help=f"Refuse input of more than MB megabytes, decompressed (default {script_files.MAX_MEGABYTES}).",
    )  # fmt: skip
    time = click.option(
        "--max-time", type=duration, default=f"{script_files.MAX_SECONDS}s", metavar="TIME",
        expose_value=False, callback=_set_input_limit,
        help=f"Give up reading a file after this time (default {script_files.MAX_SECONDS}s).",
    )  # fmt: skip
    return size(time(command))


def _trust(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> None:
    if names:
        trust_names((*names, *map(absolute_name, names)))


# Eager: the configuration may name programs.
trust: Final = click.option(
    "--trust", multiple=True, metavar="NAME", is_eager=True, expose_value=False, callback=_trust,
    help="Trust this program: run it where a finding, a trace or a configuration that you did not write names"
    " it in exactly these words; may be repeated.",
)  # fmt: skip
fence: Final = click.option(
    "--fence", type=click.Choice(fence_modes.MODES), expose_value=False, callback=_set_fence,
    help="Kernel restrictions on solvers: off, best (what the kernel offers; the default), or strict (refuse"
    " to run with less than all).",
)  # fmt: skip


def _set_build(_context: click.Context, _parameter: click.Parameter, words: str | None) -> None:
    if words is not None:
        os.environ[builds.VARIABLE] = builds.check_words(words)


build: Final = click.option(
    "--build", metavar="KIND", expose_value=False, callback=_set_build,
    help="How solvers that are given by their path were built, where it is not recognised: "
    f"{', '.join(builds.WORDS)}; several with commas. With leaks, leaks of memory count as crashes.",
)  # fmt: skip


def _set_coverage(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> Path | None:
    if folder is not None:
        if ":" in str(folder):
            raise UsageError(f"--coverage: {folder}: the directory's name must not contain a colon")
        folder.mkdir(parents=True, exist_ok=True)
        os.environ[builds.COVERAGE_VARIABLE] = str(folder.resolve())
    return folder


coverage: Final = click.option(
    "--coverage", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", callback=_set_coverage,
    help="Collect the coverage data of solvers that are built for it in DIR, and count lines and functions.",
)  # fmt: skip
timeout: Final = limit("Time limit for one solver call, e.g. 2.5s or 1m (default 10s).")
memory: Final = megabytes("Memory limit for each solver, in MB (default 2048).")
jobs: Final = number_of_jobs("Number of worker processes")
cluster: Final = click.option(
    "--cluster", metavar="ADDRESS",
    help="Run on a Dask cluster instead: tcp://HOST:PORT, tls://HOST:PORT, local:N, or a [clusters] table.",
)  # fmt: skip
out: Final = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("falsum-out"), metavar="DIR",
    help="Directory of the campaigns and their findings (default falsum-out).",
)  # fmt: skip
config: Final = click.option(
    "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE",
    help="Configuration file (default ./falsum.toml).",
)  # fmt: skip


def _read_operators(_context: click.Context, _parameter: click.Parameter, file: str | None) -> str | None:
    """The text of an operator file, read while options are parsed so that an error is reported at once."""
    if file is None:
        return None
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not an operator file: not UTF-8 text") from error
    read_operator_file(text, file)
    return text


operators: Final = click.option(
    "--operators", type=click.Path(exists=True, dir_okay=False), metavar="FILE", callback=_read_operators,
    help="Operator file: the operators that typefuzz and opfuzz may use (default: all).",
)  # fmt: skip
resume: Final = click.option("--resume", is_flag=True, help="Resume the last campaign in DIR.")
events: Final = click.option(
    "--json", "as_json", is_flag=True, help="Write events as JSON lines to standard output."
)


def _absolute(
    _context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(map(absolute_name, names))


def solver(
    text: str, name: str = "names", flags: tuple[str, ...] = ("--solver", "-s"), *, required: bool = False
) -> Callable[[Decorated], Decorated]:
    """`--solver`, which may be repeated everywhere."""
    return click.option(
        *flags, name, multiple=True, metavar="S", shell_complete=completions.solvers, required=required,
        callback=_absolute, help=f"{text}; may be repeated.",
    )  # fmt: skip


def _absolute_build(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    return None if name is None else absolute_name(name)


own_build: Final = click.option(
    "--solver", "-s", "own_build", metavar="PRODUCT=PATH", callback=_absolute_build,
    help="Build of your own, by its path, as the newer end of the search.",
)  # fmt: skip


def strategies(text: str) -> Callable[[Decorated], Decorated]:
    """`--strategy`."""
    return click.option(
        "--strategy", "-t", "strategies", multiple=True, metavar="T", shell_complete=completions.strategies,
        help=f"{text}; may be repeated.",
    )  # fmt: skip


def seconds(text: str, default: str | None = None) -> Callable[[Decorated], Decorated]:
    """`--for`."""
    return click.option("--for", "seconds", type=duration, default=default, metavar="TIME", help=text)


def json_lines(per: str) -> Callable[[Decorated], Decorated]:
    """`--json` of commands that print something about each of several things."""
    return click.option(
        "--json", "as_json", is_flag=True, help=f"Write one JSON line per {per} to standard output."
    )


def git(command: Decorated) -> Decorated:
    """`--git`, `--build` and the options that go with them."""
    for option in reversed(
        (
            click.option(
                "--git", type=click.Path(path_type=Path, file_okay=False), metavar="REPO",
                help="Repository of the solver, to bisect its commits.",
            ),
            click.option(
                "--build", metavar="CMD",
                help="Shell command that builds a commit; may install into $FALSUM_BUILD, which is kept.",
            ),
            click.option(
                "--program", default="", metavar="PATH",
                help="What CMD makes: the program, or the folder of the Python library (default: by name).",
            ),
            click.option(
                "--good", default="", metavar="REV",
                help="Commit that does not show it (default: the tag of the last good release).",
            ),
            click.option("--bad", default="HEAD", metavar="REV", help="Commit that shows it (default HEAD)."),
        )
    ):  # fmt: skip
        command = option(command)
    return command
