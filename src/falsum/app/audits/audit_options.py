"""Options that `audit`, `upgrade` and `stability` have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from falsum.app import options

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

TIMEOUT: Final = 10.0
MEMORY: Final = 2048


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """The options of all three commands; `fail_on` are the labels of rows that give exit code 1."""

    queries: tuple[str, ...]
    out: Path
    jobs: int
    cluster: str | None
    timeout: float
    memory: int
    fail_on: tuple[str, ...]
    csv_file: Path | None
    junit_file: Path | None
    sarif_file: Path | None
    page: Path | None
    baseline: Path | None
    as_json: bool


# `--budget`, for examples.
budget: Final = click.option(
    "--budget", type=options.duration, default=None, metavar="TIME",
    help="Time for reducing examples of bad rows and finding the first release with each (default: none).",
)  # fmt: skip


# `--install`, for examples.
install: Final = click.option(
    "--install", "is_installing", is_flag=True,
    help="With --budget, install releases that this machine lacks to find the first that shows it.",
)  # fmt: skip


def _file(name: str, text: str, variable: str) -> Callable[[Decorated], Decorated]:
    path = click.Path(path_type=Path, dir_okay=False)
    return click.option(name, variable, type=path, metavar="FILE", help=text)


def audit_options(labels: type, default: tuple[str, ...]) -> Callable[[Decorated], Decorated]:
    """The options, collected in one argument `about`."""
    words = [str(label) for label in labels]  # type: ignore[attr-defined] # an enumeration

    def decorate(command: Decorated) -> Decorated:
        def collected(**arguments: Any) -> Any:
            about = AuditOptions(**{name: arguments.pop(name) for name in AuditOptions.__dataclass_fields__})
            return command(about=about, **arguments)

        collected.__name__, collected.__doc__ = command.__name__, command.__doc__
        collected.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]
        for option in reversed(_options(words, default)):
            collected = option(collected)
        return collected  # type: ignore[return-value]

    return decorate


def _options(words: list[str], default: tuple[str, ...]) -> tuple[Callable[[Any], Any], ...]:
    return (
        click.argument("queries", nargs=-1, required=True, metavar="QUERIES..."),
        options.limit("CPU time limit for one check, e.g. 2.5s or 1m (default 10s).", f"{TIMEOUT:g}s"),
        click.option(
            "--memory", type=click.IntRange(1), default=MEMORY, metavar="MB",
            help=f"Memory limit for each solver, in MB (default {MEMORY}).",
        ),
        options.jobs,
        options.cluster,
        click.option(
            "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("falsum-audit"),
            metavar="DIR", help="Directory that keeps the answers, to resume from (default falsum-audit).",
        ),
        click.option(
            "--fail-on", multiple=True, type=click.Choice(words), default=default,
            help=f"Exit with code 1 if a row has this word; may be repeated (default: {', '.join(default)}).",
        ),
        _file("--baseline", "Rows of an earlier run: what was the same there does not count.", "baseline"),
        _file("--csv", "Write the rows as CSV.", "csv_file"),
        _file("--junit", "Write JUnit XML, a test for each row.", "junit_file"),
        _file("--sarif", "Write SARIF 2.1.0, a result for each row that counts.", "sarif_file"),
        _file("--page", "Write a page with a table and plots, in one HTML file.", "page"),
        click.option("--json", "as_json", is_flag=True, help="Write a JSON line per row to standard output."),
        options.fence,
        options.trust,
        options.plugin,
    )  # fmt: skip
