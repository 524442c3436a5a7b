"""Checkup: which abilities of a solver work, by scripts with known answers; and whether it answers at all."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.edge_watch import edge_count
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner, ProcessStop, Program

_START_UPS = 3
_TINY = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 4))\n(assert (= x #b0101))\n(check-sat)\n"
# One per theory: a solver of a single theory decides one of them.
SCRIPTS: Final = (
    "(set-logic QF_UF)(declare-fun p () Bool)(assert (and p (not p)))(check-sat)",
    "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (= x #x01))(check-sat)",
    "(set-logic QF_LIA)(declare-fun x () Int)(assert (> x 1))(check-sat)",
    "(set-logic QF_LRA)(declare-fun x () Real)(assert (> x 1.0))(check-sat)",
    '(set-logic QF_S)(declare-fun s () String)(assert (= s "a"))(check-sat)',
)
_SECONDS: Final = 10.0
# A solver that does not end on so many of them will not end on the others.
_MAX_TIMEOUTS: Final = 2
_MAX_LINES: Final = 5
_MAX_WIDTH: Final = 200


@dataclass(frozen=True, slots=True)
class Probe:
    """A test of one ability: a script, its verdicts, and the requests besides them."""

    ability: str
    script: str
    verdicts: tuple[Verdict, ...]
    want: Want = Want.VERDICT


def _probe(ability: str, verdicts: str, script: str, want: Want = Want.VERDICT) -> Probe:
    return Probe(ability, script, tuple(Verdict(word) for word in verdicts.split()), want)


PROBES = (
    _probe(
        "bitvectors",
        "unsat",
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (bvult x x))(check-sat)",
    ),
    _probe(
        "ints",
        "unsat",
        "(set-logic QF_LIA)(declare-fun x () Int)(assert (and (< 0 x) (< x 1)))(check-sat)",
    ),
    _probe(
        "reals",
        "sat",
        "(set-logic QF_LRA)(declare-fun x () Real)(assert (and (< 0.0 x) (< x 1.0)))(check-sat)",
    ),
    _probe(
        "strings",
        "sat",
        '(set-logic QF_S)(declare-fun s () String)(assert (= (str.++ s "b") "ab"))(check-sat)',
    ),
    _probe(
        "floats",
        "unsat",
        "(set-logic QF_FP)(declare-fun x () (_ FloatingPoint 8 24))"
        "(assert (fp.lt x ((_ to_fp 8 24) RNE 1.0)))(assert (fp.gt x ((_ to_fp 8 24) RNE 2.0)))(check-sat)",
    ),
    _probe(
        "arrays",
        "unsat",
        "(set-logic QF_ABV)(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))"
        "(assert (not (= (select (store a #x1 #x2) #x1) #x2)))(check-sat)",
    ),
    _probe(
        "datatypes",
        "unsat",
        "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (tl L)))))(declare-fun l () L)"
        "(assert (= l (cons l)))(check-sat)",
    ),
    _probe(
        "quantifiers",
        "unsat",
        "(set-logic BV)(assert (forall ((x (_ BitVec 4))) (= x #x0)))(check-sat)",
    ),
    _probe(
        "incremental",
        "sat unsat sat",
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (= x #x1))(check-sat)(push 1)"
        "(assert (= x #x2))(check-sat)(pop 1)(check-sat)",
    ),
    _probe("models", "sat", _TINY, Want.MODEL),
    _probe(
        "cores",
        "unsat",
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (= x #x1))(assert (= x #x2))(check-sat)",
        Want.CORE,
    ),
)


@dataclass(frozen=True, slots=True)
class Checkup:
    """`works` maps each ability to whether it works, `remarks` those that fail to the reason.

    `edges` is the number of edges of an instrumented build, 0 for others.
    """

    solver: str
    version: str
    works: dict[str, bool]
    remarks: dict[str, str]
    cold_ms: float
    warm_ms: float | None
    options: int
    edges: int = 0

    @property
    def healthy(self) -> bool:
        """Whether some ability works and no answer is wrong."""
        return any(self.works.values()) and not any(map(_WRONG.__eq__, self.remarks.values()))

    def plain(self) -> dict[str, Any]:
        return {
            "solver": self.solver,
            "version": self.version,
            "healthy": self.healthy,
            "works": self.works,
            "remarks": self.remarks,
            "cold_ms": round(self.cold_ms, 1),
            "warm_ms": None if self.warm_ms is None else round(self.warm_ms, 1),
            "options": self.options,
            "edges": self.edges,
        }


_WRONG = "wrong answer"


def examine(solver: Solver, limits: Limits | None = None) -> Checkup:
    """Run every probe on a solver in a fresh process, and measure its start-up time."""
    with LiveLab([solver], limits or Limits(seconds=10.0)) as lab:
        works: dict[str, bool] = {}
        remarks: dict[str, str] = {}
        for probe in PROBES:
            answer = lab.ask(Request(solver.name, probe.script, probe.want, cold=True))
            remark = _remark(probe, answer)
            works[probe.ability] = not remark
            if remark:
                remarks[probe.ability] = remark
        cold = statistics.median(_timed(lab, solver, cold=True) for _ in range(_START_UPS))
        has_host = solver.warm_program(solver.prepare(_TINY)) is not None
        if has_host:
            _timed(lab, solver, cold=False)
        warm = min(_timed(lab, solver, cold=False) for _ in range(_START_UPS)) if has_host else None
        option_count = len(solver.options(lab.runner))
        program = solver.cold_program(solver.prepare(_TINY))
        edges = edge_count(lab.runner, program) if solver.build.has_edges else 0
    return Checkup(solver.name, solver.version, works, remarks, cold, warm, option_count, edges)


# A program that tries what a fence refuses: prints a word for each act, and whether it was possible.
_ACTS = """
import fcntl, os, resource, socket, sys
outside, kept, parent = sys.argv[1], sys.argv[2], os.getppid()
for name, act in {
    "writing a file outside the run directory": lambda: open(outside, "w"),
    "changing the mode of a file outside": lambda: os.chmod(kept, 0o600),
    "changing the time of a file outside": lambda: os.utime(kept),
    "setting attributes of a file outside": lambda: os.setxattr(kept, "user.falsum", b"x"),
    "locking a file outside": lambda: fcntl.flock(os.open(kept, os.O_RDONLY), fcntl.LOCK_SH),
    "opening a network socket": lambda: socket.socket(socket.AF_INET),
    "opening a local socket": lambda: socket.socket(socket.AF_UNIX),
    "signals to other processes": lambda: os.kill(parent, 0),
    "limits of other processes": lambda: resource.prlimit(parent, resource.RLIMIT_CORE),
    "memory that belongs to no process": lambda: os.memfd_create("falsum"),
    "another user": lambda: os.setgroups([]),
}.items():
    try:
        act()
        print(name, "yes", sep="=")
    except OSError:
        print(name, "no", sep="=")
"""


def try_fence() -> dict[str, bool]:
    """What a program can do behind the fence of this machine, by trying it; True if it was possible.

    All attempts are harmless if they succeed.
    """
    with ProcessRunner() as runner, tempfile.TemporaryDirectory() as outside:
        outside_file = Path(outside, "kept")
        outside_file.touch()
        command = (sys.executable, "-I", "-S", "-c", _ACTS, str(Path(outside, "written")), str(outside_file))
        output = runner.run(Program(command), Limits(seconds=20.0)).stdout.decode()
    return {
        name: possible == "yes" for name, _, possible in (line.partition("=") for line in output.splitlines())
    }


# Programs that take more than a run may have; each is ended when it has too much.
_WRECKS = {
    "forking without end": "import os\nwhile True:\n    os.fork()",
    "files without end": "for number in range(10**9):\n    open(str(number), 'w').close()",
    "memory without end": "rooms = []\nwhile True:\n    rooms.append(bytes(16 << 20))",
    "output without end": "import os\nwhile True:\n    os.write(1, bytes(65536))",
}


def try_wrecks() -> dict[str, str]:
    """How programs that exceed limits end on this machine: the limit that ended each."""
    limits = Limits(seconds=20.0, memory=500, output=1)
    with ProcessRunner() as runner:
        endings = {
            name: runner.run(Program((sys.executable, "-I", "-S", "-c", code)), limits)
            for name, code in _WRECKS.items()
        }
    return {
        name: f"ended by its limit of {result.stopped}" if result.stopped else "ended by the kernel"
        for name, result in endings.items()
        if result.stopped != ProcessStop.TIME
    } | {name: "" for name, result in endings.items() if result.stopped == ProcessStop.TIME}


def _remark(probe: Probe, answer: Answer) -> str:
    """Why an answer differs from the expected one; empty if it does not."""
    pairs = zip(probe.verdicts, answer.verdicts, strict=False)
    if any(expectation.contradicts(actual) for expectation, actual in pairs):
        return _WRONG
    if answer.verdicts != probe.verdicts:
        remark = f"answered {' '.join(answer.words) or 'nothing'}"
        return remark if answer.finished else str(answer.ending)
    if probe.want is Want.MODEL and answer.model is None:
        return "no model"
    if probe.want is Want.CORE and answer.core is None:
        return "no core"
    return ""


def _timed(lab: LiveLab, solver: Solver, *, cold: bool) -> float:
    start = time.monotonic()
    lab.ask(Request(solver.name, _TINY, cold=cold, again=True))
    return 1000 * (time.monotonic() - start)


def smoke_test(solvers: Sequence[Solver], limits: Limits | None = None) -> None:
    """Raise SurroundingsError, with its output, for the first solver that decides none of the scripts.

    A wrong verdict passes: finding those is the purpose of a campaign.
    """
    for solver in solvers:
        with LiveLab([solver], limits or Limits(seconds=_SECONDS)) as lab:
            answers: list[Answer] = []
            for script in SCRIPTS:
                answers.append(lab.ask(Request(solver.name, script, cold=True)))
                if any(verdict.decided for verdict in answers[-1].verdicts):
                    break
                if sum(answer.ending.kind is EndingKind.TIMED_OUT for answer in answers) == _MAX_TIMEOUTS:
                    raise SurroundingsError(_refusal(solver, answers))
            else:
                raise SurroundingsError(_refusal(solver, answers))


def _refusal(solver: Solver, answers: Sequence[Answer]) -> str:
    last = answers[-1]
    lines = [line for line in f"{last.stdout}\n{last.stderr}".splitlines() if line.strip()]
    excerpt = "".join(f"\n    {line[:_MAX_WIDTH]}" for line in lines[:_MAX_LINES])
    scripts = "a simple script" if len(answers) == 1 else f"any of {len(answers)} simple scripts"
    return (
        f"{solver.name} does not decide {scripts}; on the last one it {_ended(last)} and printed"
        f"{f':{excerpt}' if lines else ' nothing'}\n"
        "A solver must read the SMT-LIB script in the file that is its last argument and print sat or unsat."
    )


def _ended(answer: Answer) -> str:
    words = {
        EndingKind.FINISHED: "ended",
        EndingKind.REJECTED: "gave an error",
        EndingKind.FLOODED: "flooded",
    }
    return words.get(answer.ending.kind, str(answer.ending.kind))
