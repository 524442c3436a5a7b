"""Fixtures for campaigns."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.api.conftest import solver_named

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.campaign.library.batch import LibraryBatch
from falsum.campaign.library.runner import LibraryRunner
from falsum.campaign.outcome import BatchOutcome

BITVECTORS = Settings(theories=("bitvectors",), options=0, compare=0)


@pytest.fixture
def faulty(plant: Callable[[str, str], Path]) -> Callable[[str], BatchOutcome]:
    """The outcome of a batch of eight runs of a library with a fault."""

    def run(body: str) -> BatchOutcome:
        batch = LibraryBatch(7, "bitwuzla", (), BITVECTORS, 0, 8, 600.0)
        fuzzer = Fuzzer(solver_named("bitwuzla"), BITVECTORS, binding=plant("bitwuzla", body))
        with closing(LibraryRunner()) as runner, fuzzer:
            runner.fuzzers["bitwuzla", ()] = fuzzer
            return runner.run_batch(batch)

    return run
