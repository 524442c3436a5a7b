"""→ Tracker. The bug trackers of solver projects; a new one joins by a line in ALL, or from a plug-in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers import bitwuzla, cvc5, generic, yices, z3
from falsum.app.report.trackers.tracker import Tracker
from falsum.plugins import Registry, instance_of

GENERIC: Final = generic.TRACKER
ALL: Final[Registry[Tracker]] = Registry(
    "trackers",
    (z3.TRACKER, cvc5.TRACKER, bitwuzla.TRACKER, yices.TRACKER, GENERIC),
    instance_of(Tracker),
    key="product",
)
BY_PRODUCT: Final[Mapping[str, Tracker]] = ALL.by_name


def tracker_of(product: str) -> Tracker:
    """The tracker of a product, or the generic one."""
    return BY_PRODUCT.get(product, GENERIC)


__all__ = ["ALL", "BY_PRODUCT", "GENERIC", "ReportParts", "Tracker", "tracker_of"]
