"""Whether a new process gets what it needs."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from falsum.errors import ShortageError
from falsum.solvers.supervision.conditions import expect_good_conditions
from falsum.solvers.supervision.process import ProcessRunner


@contextmanager
def limited(kind: int, most: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, (soft, hard))


def test_an_ordinary_machine_has_good_conditions() -> None:
    with ProcessRunner() as runner:
        expect_good_conditions(runner)


def test_few_file_descriptors_are_a_shortage() -> None:
    with (
        limited(resource.RLIMIT_NOFILE, 40),
        ProcessRunner() as runner,
        pytest.raises(ShortageError, match="Too many open files"),
    ):
        expect_good_conditions(runner)
