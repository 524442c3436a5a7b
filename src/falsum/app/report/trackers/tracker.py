"""Tracker: how one project wants bugs to be reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from falsum.app.report.parts import ReportParts


@dataclass(frozen=True, slots=True)
class Tracker:
    """`report` arranges the parts of a report as the project's form has them; `weekly` is how many reports a
    week its developers have said they can take, if they have.
    """

    product: str
    report: Callable[[ReportParts], str]
    weekly: int | None = None
