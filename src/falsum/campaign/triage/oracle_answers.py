"""The answers that the finding of an oracle rests on: for reports, and for `replay.sh`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from falsum.campaign.triage import result
from falsum.oracles.finding import Finding
from falsum.solvers.answer import Exchange
from falsum.solvers.solver import Solver
from falsum.store import atomic, finding_folder, replay_script
from falsum.store.records import FindingRecord
from falsum.store.replay_script import ReplayRun

_FOLDER: Final = result.ASKED


def exchanges_of(found: Finding, solvers: Sequence[Solver]) -> list[Exchange]:
    """The exchanges with texts and command lines, as a fresh process gets them."""
    by_name = {solver.name: solver for solver in solvers}
    return [by_name[exchange.request.solver].completed(exchange) for exchange in found.exchanges]


def wrong_exchange(found: Finding, exchanges: Sequence[Exchange]) -> Exchange:
    """The exchange whose answer is wrong; the suspect's first if the oracle does not say."""
    for exchange in exchanges:
        asked = exchange.request
        wanted = found.request
        if wanted is not None and wanted.key[:3] == asked.key[:3]:
            return exchange
    return next(e for e in exchanges if e.request.solver == found.suspects[0])


def write_replay(folder: Path, record: FindingRecord, exchanges: Sequence[Exchange]) -> None:
    """Write what the solvers are asked, and a `replay.sh` that asks it again."""
    (folder / _FOLDER).mkdir(exist_ok=True)
    runs = []
    for number, exchange in enumerate(exchanges, 1):
        name = f"{_FOLDER}/{number:02}-{replay_script.slug(exchange.request.solver)}.smt2"
        result.write(folder, name, exchange.posed)
        answer = exchange.answer.plain()
        said = " ".join(exchange.answer.verdicts) or str(exchange.answer.ending)
        seen, wanted = replay_script.how_seen(record.kind, answer)
        runs.append(
            ReplayRun(exchange.request.solver, exchange.version, exchange.command, name, said, seen, wanted)
        )
    text = replay_script.replay_script(folder, finding_folder.original_runs(record), runs)
    atomic.write_file(folder / replay_script.NAME, text, 0o755)
