"""The lines that end a run which has grown too long without a check."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.api.model.mirror import Mirror
from falsum.api.trace import Line
from falsum.smtlib.sorts import BOOL


def last_lines(mirror: Mirror) -> Iterator[Line]:
    """Assert a formula, unless one is asserted, and check; nothing if there was a check.

    Each line must be executed before the next one is drawn.
    """
    if mirror.checks:
        return
    if not any(mirror.levels):
        if not mirror.formulas():
            if mirror.name_of(BOOL) is None:
                yield Line("sort", ("Bool",), (mirror.next_sort(),))
            name = mirror.next_term()
            yield Line("const", (str(mirror.name_of(BOOL)), f"x{name[1:]}"), (name,))
        yield Line("assert", ((mirror.formulas_with_symbols() or mirror.formulas())[-1].name,))
    yield Line("check")
