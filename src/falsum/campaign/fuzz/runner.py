"""FuzzRunner: runs batches of mutants in a worker, on warm solvers it keeps from batch to batch."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from falsum.campaign.fuzz import batch as batches
from falsum.campaign.fuzz.batch import Batch
from falsum.campaign.fuzz.worker_state import Workplace


class FuzzRunner:
    def __init__(self) -> None:
        self._states: dict[tuple[tuple[str, ...], float, int], Workplace] = {}

    def run(self, body: bytes, stopping: Callable[[], bool]) -> bytes:
        batch = msgspec.msgpack.decode(body, type=Batch)
        key = (batch.solvers, batch.timeout, batch.memory)
        if key not in self._states:
            self._states[key] = Workplace.of(*key)
        return msgspec.msgpack.encode(batches.run(batch, self._states[key], stopping))

    def close(self) -> None:
        for state in self._states.values():
            state.close()
