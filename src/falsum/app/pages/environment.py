"""The templates of pages: everything they show is escaped, control characters included."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from falsum.app.pages.finding_view import standing_class
from falsum.app.pages.plots import number_text
from falsum.campaign.progress import duration_text
from falsum.plural import counted
from falsum.printable import on_one_line, printable
from falsum.version import __version__

_SCHEMES: Final = ("https://", "http://")


@cache
def html_templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("falsum.app.pages"),
        autoescape=True,
        finalize=_finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    _add_filters(environment)
    return environment


@cache
def markdown_templates() -> Environment:
    environment = Environment(  # noqa: S701 - Markdown is escaped by filters of its own
        loader=PackageLoader("falsum.app.pages"),
        finalize=_finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    _add_filters(environment)
    environment.filters["cell"] = markdown_cell
    return environment


def _add_filters(environment: Environment) -> None:
    environment.filters |= {
        "moment": moment_text,
        "share": share_text,
        "number": number_text,
        "duration": duration_text,
        "one_line": on_one_line,
        "standing": standing_class,
        "web_address": web_address,
    }
    environment.globals |= {"version": __version__, "counted": counted}


def _finalized(value: Any) -> Any:
    """Text of solvers, seeds and users without control characters."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value)
    return "–" if value is None else value


def moment_text(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def share_text(share: float | None) -> str:
    if share is None:
        return "–"
    return f"{share:.0%}" if share >= 0.1 or share == 0 else f"{share:.1%}"


def web_address(text: str) -> str:
    """An address that may be linked to; "" for anything else."""
    return text if text.startswith(_SCHEMES) else ""


def markdown_cell(value: object) -> str:
    """Text for a cell of a Markdown table: on one line, and nothing in it is markup."""
    text = on_one_line(str(value))
    for character in "\\`*_[]<>|":
        text = text.replace(character, f"\\{character}")
    return text
