"""Checkup: a few scripts whose answers are certain tell what works on a solver."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want

if TYPE_CHECKING:
    from falsum.solvers.answer import Answer
    from falsum.solvers.solver import Solver

_START_UPS = 3
_TINY = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 4))\n(assert (= x #b0101))\n(check-sat)\n"


@dataclass(frozen=True, slots=True)
class Symptom:
    """One ability: a script, the verdicts it has for certain, and what else is asked for."""

    ability: str
    script: str
    verdicts: tuple[Verdict, ...]
    want: Want = Want.VERDICT


def _symptom(ability: str, verdicts: str, script: str, want: Want = Want.VERDICT) -> Symptom:
    return Symptom(ability, script, tuple(Verdict(word) for word in verdicts.split()), want)


SYMPTOMS = (
    _symptom(
        "bitvectors",
        "unsat",
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (bvult x x))(check-sat)",
    ),
    _symptom(
        "ints",
        "unsat",
        "(set-logic QF_LIA)(declare-fun x () Int)(assert (and (< 0 x) (< x 1)))(check-sat)",
    ),
    _symptom(
        "reals",
        "sat",
        "(set-logic QF_LRA)(declare-fun x () Real)(assert (and (< 0.0 x) (< x 1.0)))(check-sat)",
    ),
    _symptom(
        "strings",
        "sat",
        '(set-logic QF_S)(declare-fun s () String)(assert (= (str.++ s "b") "ab"))(check-sat)',
    ),
    _symptom(
        "floats",
        "unsat",
        "(set-logic QF_FP)(declare-fun x () (_ FloatingPoint 8 24))"
        "(assert (fp.lt x ((_ to_fp 8 24) RNE 1.0)))(assert (fp.gt x ((_ to_fp 8 24) RNE 2.0)))(check-sat)",
    ),
    _symptom(
        "arrays",
        "unsat",
        "(set-logic QF_ABV)(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))"
        "(assert (not (= (select (store a #x1 #x2) #x1) #x2)))(check-sat)",
    ),
    _symptom(
        "datatypes",
        "unsat",
        "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (tl L)))))(declare-fun l () L)"
        "(assert (= l (cons l)))(check-sat)",
    ),
    _symptom(
        "quantifiers",
        "unsat",
        "(set-logic BV)(assert (forall ((x (_ BitVec 4))) (= x #x0)))(check-sat)",
    ),
    _symptom(
        "incremental",
        "sat unsat sat",
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (= x #x1))(check-sat)(push 1)"
        "(assert (= x #x2))(check-sat)(pop 1)(check-sat)",
    ),
    _symptom("models", "sat", _TINY, Want.MODEL),
    _symptom(
        "cores",
        "unsat",
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (= x #x1))(assert (= x #x2))(check-sat)",
        Want.CORE,
    ),
)


@dataclass(frozen=True, slots=True)
class Checkup:
    """`works` maps an ability to whether it does, `remarks` to what was said where it does not."""

    solver: str
    version: str
    works: dict[str, bool]
    remarks: dict[str, str]
    cold_ms: float
    warm_ms: float | None
    options: int

    @property
    def healthy(self) -> bool:
        """It answers something, and nothing it answers is wrong."""
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
    """Ask a solver every symptom, cold, and take the time it needs to start."""
    with LiveLab([solver], limits or Limits(seconds=10.0)) as lab:
        works: dict[str, bool] = {}
        remarks: dict[str, str] = {}
        for symptom in SYMPTOMS:
            answer = lab.ask(Request(solver.name, symptom.script, symptom.want, cold=True))
            remark = _remark(symptom, answer)
            works[symptom.ability] = not remark
            if remark:
                remarks[symptom.ability] = remark
        cold = statistics.median(_timed(lab, solver, cold=True) for _ in range(_START_UPS))
        stays = solver.warm(solver.pose(_TINY)) is not None
        if stays:
            _timed(lab, solver, cold=False)
        warm = min(_timed(lab, solver, cold=False) for _ in range(_START_UPS)) if stays else None
        known = len(solver.options(lab.runner))
    return Checkup(solver.name, solver.version, works, remarks, cold, warm, known)


def _remark(symptom: Symptom, answer: Answer) -> str:
    """What is wrong with an answer; empty if nothing is."""
    pairs = zip(symptom.verdicts, answer.verdicts, strict=False)
    if any(expected.contradicts(given) for expected, given in pairs):
        return _WRONG
    if answer.verdicts != symptom.verdicts:
        return str(answer.ending) if not answer.finished else f"said {' '.join(answer.verdicts) or 'nothing'}"
    if symptom.want is Want.MODEL and answer.model is None:
        return "no model"
    if symptom.want is Want.CORE and answer.core is None:
        return "no core"
    return ""


def _timed(lab: LiveLab, solver: Solver, *, cold: bool) -> float:
    started = time.monotonic()
    lab.ask(Request(solver.name, _TINY, cold=cold, again=True))
    return 1000 * (time.monotonic() - started)
