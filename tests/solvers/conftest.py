"""Solvers as the tests name them, skipped and told where they are missing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from falsum.errors import SurroundingsError
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.zoo import Zoo

WRECKS = Path(__file__).with_name("wrecks")


@pytest.fixture
def runner() -> Iterator[ProcessRunner]:
    with ProcessRunner() as made:
        yield made


def wreck(name: str) -> Program:
    return Program((sys.executable, "-I", "-S", str(WRECKS / f"{name}.py")))


def wreck_name(name: str) -> str:
    return f"{sys.executable} -I -S {WRECKS / name}.py"


@pytest.fixture(scope="session")
def find() -> Callable[[str], Solver]:
    """A solver by name; the test skips where it is not installed."""
    zoo = Zoo()

    def found(name: str) -> Solver:
        try:
            return resolve(name, zoo)
        except SurroundingsError as missing:
            pytest.skip(str(missing))

    return found


@pytest.fixture
def lab_of(find: Callable[[str], Solver]) -> Iterator[Callable[..., LiveLab]]:
    made: list[LiveLab] = []

    def lab(*names: str, limits: Limits | None = None) -> LiveLab:
        made.append(LiveLab([find(name) for name in names], limits or Limits(seconds=20.0)))
        return made[-1]

    yield lab
    for each in made:
        each.close()
