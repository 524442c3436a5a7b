"""Fuzzers of the libraries that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from falsum.api.bindings import BY_PRODUCT
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.errors import SurroundingsError
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

Make = Callable[..., Fuzzer]


def solver_named(name: str) -> Solver:
    try:
        solver = resolve(name, Zoo())
    except SurroundingsError as error:
        pytest.skip(str(error))
    if solver.release is None:
        pytest.skip(f"{name} is not here")
    return solver


def library_named(name: str) -> Solver:
    """A solver whose Python library is installed: a program of the product alone is not enough."""
    solver = solver_named(name)
    if solver.release is None or solver.release.folder is None:
        pytest.skip(f"the library of {name} is not installed; try: falsum solvers add {name}")
    return solver


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes fuzzers that are closed when the test is over."""
    made: list[Fuzzer] = []

    def fuzzer(
        name: str, settings: Settings | None = None, binding: Path | None = None, others: str = ""
    ) -> Fuzzer:
        asked = [solver_named(other) for other in others.split()]
        made.append(Fuzzer(solver_named(name), settings or Settings(), asked, binding=binding))
        return made[-1]

    yield fuzzer
    for each in made:
        each.close()


@pytest.fixture(params=sorted(BY_PRODUCT))
def product(request: pytest.FixtureRequest) -> str:
    """Every product that has a binding."""
    name: str = request.param
    library_named(name)
    return name


@pytest.fixture(params=["z3@system", "cvc5@system", "cvc4", "yices", "z3"])
def piped(request: pytest.FixtureRequest) -> str:
    """Products whose programs are driven through a pipe."""
    name: str = request.param
    solver_named(name)
    return name
