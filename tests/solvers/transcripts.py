"""Transcripts: what solvers have printed, and how it is to be read.

A file for each product, a run a line. `python -m tests.solvers.transcripts SOLVER…` records runs, with
expectations as falsum reads them now: look at them before you commit them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from falsum.solvers.answer import Answer
from falsum.solvers.limits import Limits
from falsum.solvers.output import read
from falsum.solvers.profiles import GENERIC, Profile
from falsum.solvers.request import Want
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessResult, ProcessRunner, ProcessStop
from falsum.solvers.zoo import Zoo

HOME: Final = Path(__file__).parents[1] / "data" / "transcripts"
_SCRATCH_FILE: Final = re.compile(rb"/[\w./-]*\.smt2")
_BITS: Final = "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))"
RECORDED: Final = {
    "sat": (f"{_BITS}(assert (= x #x5))(check-sat)", Want.VERDICT),
    "model": (f"{_BITS}(assert (= x #x5))(check-sat)", Want.MODEL),
    "core": (f"{_BITS}(assert (= x #x1))(assert (= x #x2))(check-sat)", Want.CORE),
    "model after unsat": (f"{_BITS}(assert (bvult x x))(check-sat)", Want.MODEL),
    "push and pop": (
        f"{_BITS}(assert (= x #x1))(check-sat)(push 1)(assert (= x #x2))(check-sat)(pop 1)(check-sat)",
        Want.VERDICT,
    ),
    "undeclared symbol": (f"{_BITS}(check-sat)(assert (= x y))(check-sat)", Want.VERDICT),
    "sort error": (f"{_BITS}(assert (= x true))(check-sat)", Want.VERDICT),
    "syntax error": (f"{_BITS}(assert (= x #x5)(check-sat)", Want.VERDICT),
    "strings": (
        "(set-logic QF_S)(declare-fun s () String)(assert (= (str.len s) 3))(check-sat)",
        Want.VERDICT,
    ),
    "unknown logic": ("(set-logic QF_NOSUCH)(check-sat)", Want.VERDICT),
}


class Transcript(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run and what it amounts to; `release` is empty where nobody has written it down."""

    about: str
    release: str = ""
    stdout: str = ""
    stderr: str = ""
    status: int = 0
    verdicts: tuple[str, ...] = ()
    ending: str = "finished"
    cause: str = ""
    model: str | None = None
    core: str | None = None

    def answer(self, profile: Profile) -> Answer:
        result = ProcessResult(
            self.status, ProcessStop.NONE, self.stdout.encode(), self.stderr.encode(), 0.1, 0.1
        )
        return read(profile, result)


def has_own_reader(profile: Profile) -> bool:
    """Whether its output is read in any way that does not hold for every solver."""
    fields = ("ending_patterns", "fatal_warnings", "harmless_errors", "normal_exits")
    return any(getattr(profile, field) != getattr(GENERIC, field) for field in fields)


def transcripts_of(profile: Profile) -> Iterator[Transcript]:
    """The transcripts of a product; where it is read as any other, those of all."""
    file = _file(profile if has_own_reader(profile) else GENERIC)
    for line in file.read_text(encoding="utf-8").splitlines():
        yield msgspec.json.decode(line, type=Transcript)


def record(name: str) -> None:
    solver = resolve(name, Zoo())
    with ProcessRunner() as runner, _file(solver.profile).open("a", encoding="utf-8") as file:
        for about, (script, want) in RECORDED.items():
            given = solver.prepare(script, want)
            result = runner.run(solver.cold_program(given), Limits(), given.text.encode())
            answer = read(solver.profile, result)
            transcript = Transcript(
                about,
                solver.version,
                _SCRATCH_FILE.sub(b"script.smt2", result.stdout).decode(),
                _SCRATCH_FILE.sub(b"script.smt2", result.stderr).decode(),
                result.status,
                tuple(map(str, answer.verdicts)),
                str(answer.ending.kind),
                str(answer.ending.cause),
                answer.model,
                answer.core,
            )
            file.write(msgspec.json.encode(transcript).decode() + "\n")


def _file(profile: Profile) -> Path:
    return HOME / f"{profile.product}.jsonl"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        record(name)
