"""Checkup: what works on a solver, found out with scripts whose answers are known."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.supervision.process import ProcessRunner, Program

if TYPE_CHECKING:
    from falsum.solvers.answer import Answer
    from falsum.solvers.solver import Solver

_START_UPS = 3
_TINY = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 4))\n(assert (= x #b0101))\n(check-sat)\n"


@dataclass(frozen=True, slots=True)
class Probe:
    """A test of one ability: a script, its verdicts, and what is wanted besides them."""

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
    """`works` maps each ability to whether it works, `remarks` those that fail to the reason."""

    solver: str
    version: str
    works: dict[str, bool]
    remarks: dict[str, str]
    cold_ms: float
    warm_ms: float | None
    options: int

    @property
    def healthy(self) -> bool:
        """Whether something works and no answer is wrong."""
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
        }


_WRONG = "wrong answer"


def examine(solver: Solver, limits: Limits | None = None) -> Checkup:
    """Run every probe on a solver in a fresh process, and measure how long it takes to start."""
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
        known = len(solver.options(lab.runner))
    return Checkup(solver.name, solver.version, works, remarks, cold, warm, known)


# A program that tries what a fence refuses: prints a word for each act, and whether it was possible.
_ACTS = """
import os, socket, sys
for name, act in {
    "writing a file outside the run directory": lambda: open(sys.argv[1], "w"),
    "opening a network socket": lambda: socket.socket(socket.AF_INET),
    "signals to other processes": lambda: os.kill(os.getppid(), 0),
}.items():
    try:
        act()
        print(name, "yes", sep="=")
    except OSError:
        print(name, "no", sep="=")
"""


def try_fence() -> dict[str, bool]:
    """What a program can do behind the fence of this machine, tried by one; True if it was possible."""
    with ProcessRunner() as runner, tempfile.TemporaryDirectory() as outside:
        command = (sys.executable, "-I", "-S", "-c", _ACTS, str(Path(outside, "written")))
        said = runner.run(Program(command), Limits(seconds=20.0)).stdout.decode()
    return {
        name: possible == "yes" for name, _, possible in (line.partition("=") for line in said.splitlines())
    }


def _remark(probe: Probe, answer: Answer) -> str:
    """Why an answer is not as expected; empty if it is."""
    pairs = zip(probe.verdicts, answer.verdicts, strict=False)
    if any(expected.contradicts(given) for expected, given in pairs):
        return _WRONG
    if answer.verdicts != probe.verdicts:
        answered = f"answered {' '.join(answer.words) or 'nothing'}"
        return answered if answer.finished else str(answer.ending)
    if probe.want is Want.MODEL and answer.model is None:
        return "no model"
    if probe.want is Want.CORE and answer.core is None:
        return "no core"
    return ""


def _timed(lab: LiveLab, solver: Solver, *, cold: bool) -> float:
    started = time.monotonic()
    lab.ask(Request(solver.name, _TINY, cold=cold, again=True))
    return 1000 * (time.monotonic() - started)
