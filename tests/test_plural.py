"""Numbers with their nouns."""

from __future__ import annotations

from falsum.plural import counted


def test_one_is_singular_and_everything_else_plural() -> None:
    assert [counted(n, "finding") for n in (0, 1, 2)] == ["0 findings", "1 finding", "2 findings"]
    assert [counted(n, "crash", "crashes") for n in (1, 2)] == ["1 crash", "2 crashes"]
