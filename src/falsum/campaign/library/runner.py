"""LibraryRunner: runs batches of library runs in a worker, with a fuzzer for each library it keeps."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from falsum.campaign.library import batch as batches
from falsum.campaign.library.batch import ApiBatch, ApiOutcome, ApiTally, Bench
from falsum.errors import FalsumError


class LibraryRunner:
    def __init__(self) -> None:
        self._bench = Bench()

    def run(self, body: bytes, stopping: Callable[[], bool]) -> bytes:
        batch = msgspec.msgpack.decode(body, type=ApiBatch)
        try:
            outcome = batches.run(batch, self._bench, stopping)
        except FalsumError as error:
            outcome = ApiOutcome(batch, ApiTally(), error=str(error))
        return msgspec.msgpack.encode(outcome)

    def close(self) -> None:
        self._bench.close()
