"""TriageRunner: triages one finding in a worker."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from falsum.campaign.triage.job import Job
from falsum.campaign.triage.steps import triage
from falsum.errors import FalsumError


class TriageRunner:
    """The result of a task is empty, or says why there is no triage; what triage finds is in the folder."""

    def run(self, body: bytes, stopping: Callable[[], bool]) -> bytes:
        del stopping  # its time is limited, and each step is kept when it is done
        try:
            triage(msgspec.msgpack.decode(body, type=Job))
        except FalsumError as error:
            return str(error).encode(errors="replace")
        return b""

    def close(self) -> None:
        pass
