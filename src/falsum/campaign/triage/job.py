"""Order: a finding to be triaged; who is heard, what was claimed, and what is still to be done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.triage import result
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import FindingRecord
from falsum.strategies.mutant import Claim

_FILE: Final = "bug.smt2"


class Order(msgspec.Struct, frozen=True, tag=True):
    """A finding to be triaged: where it is, who is heard besides its own solvers, how long it may take."""

    home: str
    solvers: tuple[str, ...] = ()
    timeout: float = 5.0
    memory: int = 2048
    seconds: float = 60.0
    bisects: bool = True
    jobs: int = 1


def resolved(record: FindingRecord, others: Sequence[str], zoo: Zoo) -> tuple[list[Solver], list[str]]:
    """The solvers of the finding and others; a reference that is not there is left out, a suspect is not."""
    solvers, remarks = [], []
    own = (exchange.solver for exchange in record.exchanges)
    for name in dict.fromkeys((*record.suspects, *own, *others)):
        try:
            solvers.append(resolve(name, zoo))
        except (SurroundingsError, UsageError) as error:
            if name in record.suspects:
                raise
            remarks.append(f"not heard: {error}")
    return solvers, remarks


def claim_of(record: FindingRecord) -> Claim | None:
    if record.claim is None:
        return None
    return Claim(tuple(Verdict(word) if word else None for word in record.claim), record.witness)


def command_line(solver: Solver) -> tuple[str, ...]:
    """How the solver's own users call it: its program's plain name, the settings, the file."""
    if solver.command:
        return (*solver.command, _FILE)
    template = solver.profile.option_template
    flags = (template.format(name=name, value=value) for name, value in solver.settings)
    program = next(iter(solver.profile.programs), solver.name)
    return (program, *flags, _FILE)


def pending(homes: Sequence[Path]) -> list[Path]:
    """The folders whose findings are not triaged yet; what was found in a library was when it was found."""
    return [
        home
        for home in homes
        if (home / finding_folder.RECORD_NAME).is_file()
        and not (home / finding_folder.SMALL_NAME).is_file()
        and result.read(home) is None
    ]
