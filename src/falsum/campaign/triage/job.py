"""Job: a finding to triage, with solvers and a time limit; how solvers are called and identified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.program_marks import digest_of_file, files_of
from falsum.campaign.triage import result
from falsum.defects.case import Case
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.limits import Limits
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver, resolve, resolve_received
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.zoo import Origin, Zoo
from falsum.store import finding_folder
from falsum.store.records import FindingRecord
from falsum.strategies.mutant import Claim, Mutant, Seed

_FILE: Final = "bug.smt2"
# Where a solver given as a command line comes from.
COMMAND_LINE: Final = "command line"
_SECONDS: Final = 5.0
_MAX_LINES: Final = 3
_MAX_LENGTH: Final = 300
_MOST_FILES: Final = 3  # of a library, whose first is the module itself
_DIGEST_LENGTH: Final = 16
# As in "build hashcode X", "[git X on branch main]" and "0.9-main@X".
_COMMIT: Final = re.compile(r"(?:hashcode|commit|git|@)\W*([0-9a-f]{7,40})\b")


class Job(msgspec.Struct, frozen=True):
    """`folder` is the folder of the finding; `solvers` are used besides its own; `seconds` is the total
    time limit.
    """

    folder: str
    solvers: tuple[str, ...] = ()
    timeout: float = 5.0
    memory: int = 2048
    seconds: float = 60.0
    bisects: bool = True
    jobs: int = 1


def resolved(record: FindingRecord, others: Sequence[str], zoo: Zoo) -> tuple[list[Solver], list[str]]:
    """The solvers of the finding and others, with remarks on missing ones; raises an error if a suspect
    is missing.
    """
    solvers, remarks = [], []
    own = (exchange.solver for exchange in record.exchanges)
    for name in dict.fromkeys((*record.suspects, *own, *others)):
        try:
            solvers.append(resolve(name, zoo) if name in others else resolve_received(name, zoo))
        except (SurroundingsError, UsageError) as error:
            if name in record.suspects:
                raise
            remarks.append(f"not asked: {error}")
    return solvers, remarks


def claim_of(record: FindingRecord) -> Claim | None:
    if record.claim is None:
        return None
    return Claim(tuple(Verdict(word) if word else None for word in record.claim), record.witness)


def case_of(record: FindingRecord) -> Case:
    """The case of a finding, as its oracle judged it."""
    mutant = Mutant(record.script, claim_of(record), record.reference, record.lineage)
    return Case(mutant, tuple(Seed(*seed) for seed in record.seeds), Want(record.want), record.draw)


def command_line(solver: Solver) -> tuple[str, ...]:
    """The command line for the solver's users: the plain name of its program, the settings, the file."""
    if solver.command:
        return (*solver.command, _FILE)
    flags = (solver.profile.flag(name, value) for name, value in solver.own_settings)
    program = next(iter(solver.profile.programs), solver.name)
    return (program, *flags, _FILE)


def origin_of(solver: Solver) -> str:
    return str(solver.release.origin) if solver.release else COMMAND_LINE


def build_identity(solver: Solver) -> str:
    """Version, commit, flags, paths and checksums of a build; "" for releases of the package index."""
    if solver.release is not None and solver.release.origin in (Origin.OWN, Origin.ZOO):
        return ""
    flags = f"built with {solver.build.flags}" if solver.build.flags else ""
    program = solver.served_release.program
    version = solver.version
    if program:
        version = _version_text(program, solver.profile.version_arguments) or "it prints no version"
    commit = _COMMIT.search(version)
    files = [Path(program)] if program else files_of(solver)[:_MOST_FILES]
    sums = (f"SHA-256 of {path}: {digest_of_file(path)[:_DIGEST_LENGTH]}…" for path in files)
    return "; ".join(filter(None, (version, f"commit {commit[1]}" if commit else "", flags, *sums)))


def _version_text(program: str, arguments: tuple[str, ...]) -> str:
    """The first lines that a program prints for its version, unless it ends with an error."""
    with ProcessRunner() as runner:
        try:
            outcome = runner.run(Program((program, *arguments)), Limits(seconds=_SECONDS))
        except SurroundingsError:
            return ""
    lines = [line.strip() for line in outcome.stdout.decode(errors="replace").splitlines() if line.strip()]
    return "; ".join(lines[:_MAX_LINES])[:_MAX_LENGTH] if outcome.status == 0 else ""


def pending(folders: Sequence[Path]) -> list[Path]:
    """The folders whose findings are not triaged yet."""
    return [
        folder
        for folder in folders
        if (folder / finding_folder.RECORD_NAME).is_file() and result.read(folder) is None
    ]
