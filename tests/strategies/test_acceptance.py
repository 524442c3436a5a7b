"""z3 and cvc5 accept the mutants of seeds they accept; `bench.strategies.acceptance` measures more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from falsum.seeds import bundled
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.names import profile_of
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import ALL, Seed, Strategy

# The first bundled seed of each logic.
LOGICS = "QF_AX QF_ALIA QF_BV QF_FP QF_FPLRA QF_S QF_UFDT QF_NRA QF_UFLIA AUFLIRA UF HO_ALL".split()
COUNT = 2
# What z3 or cvc5 refused in mutants of earlier releases.
SEEDS = {
    "arrays": """(set-logic QF_ALIA)(declare-fun a () (Array Int Int))(declare-fun i () Int)
(assert (= (select a i) (- 5)))(assert (distinct a (store a i 2)))(check-sat)""",
    "numbers of floats": """(set-logic QF_FP)(declare-fun x () (_ FloatingPoint 8 24))
(assert (fp.lt x ((_ to_fp 8 24) RNE 0.5)))(assert (fp.lt x ((_ to_fp 8 24) RNE 0.25)))(check-sat)""",
    "bits of floats": """(set-logic QF_FPLRA)(declare-fun x () (_ FloatingPoint 8 24))
(assert (fp.lt x ((_ to_fp 8 24) RNE #x00000007)))(assert (fp.lt ((_ to_fp 8 24) RNE 0.25) x))(check-sat)""",
    "transcendentals": """(set-logic QF_NRAT)(declare-fun x () Real)
(assert (< (* x x) 2.5))(assert (> x 0.5))(check-sat)""",
    "unknown letters": """(set-logic QF_UFLIAFS)(declare-fun x () Int)(declare-fun y () Int)
(assert (< (+ x y) 3))(assert (> x 1))(check-sat)""",
    "words": """(set-logic QF_S)(declare-fun x () String)(declare-fun y () String)
(assert (= (str.len x) (str.len y)))(assert (str.in_re x (re.* (str.to_re "a"))))(check-sat)""",
    "overloaded": """(set-logic QF_UFDT)
(declare-datatype A ((c) (d (s A))))(declare-datatype B ((c) (e (t B))))
(declare-fun x () A)(declare-fun y () A)(assert ((_ is d) x))(assert (distinct x y))(check-sat)""",
    "patterns": """(set-logic UFLIA)(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (= (f x) (+ x 1)) :pattern ((f x)))))(assert (< (f 1) 3))(check-sat)""",
    "conversions": """(set-logic QF_NIRA)(declare-fun v () Int)(declare-fun r () Real)
(assert (< r 2))(assert (= (+ r v) 0.5))(assert (> v 1))(check-sat)""",
    "parameters": """(set-logic QF_UFDTLIA)
(declare-datatype Chain (par (T) ((nelem) (link (hd T) (tl (Chain T))))))
(declare-fun a () (Chain Int))(assert (> (hd a) 50))(assert ((_ is link) a))(check-sat)""",
    "sequences": """(set-logic ALL)(declare-fun s () (Seq Int))(declare-fun t () (Seq Int))
(assert (= (seq.len s) (seq.indexof s t 0)))(check-sat)""",
}


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    zoo = Zoo()
    with LiveLab([resolve(name, zoo) for name in ("z3", "cvc5")], Limits(seconds=0.2)) as live:
        yield live


@pytest.fixture(scope="module")
def seeds() -> list[Seed]:
    texts = [entry.read_text(encoding="utf-8") for entry in bundled()]
    some = [next(Seed(name, text) for text in texts if f"(set-logic {name})" in text) for name in LOGICS]
    return some + [Seed(name, text) for name, text in SEEDS.items()]


# cvc5 finds out about formats after preprocessing, which may remove them or take too long.
EXCEPTIONS = ("only Float32 (8/24) or Float64 (11/53) types are supported",)


def rejected(lab: Lab, solver: str, text: str) -> str:
    """Why a solver rejects a script; empty if it does not, or is not asked since it has no tactics."""
    if "(check-sat-using" in text and not profile_of(solver).tactics:
        return ""
    ending = lab.ask(Request(solver, text)).ending
    is_exception = any(message in ending.detail for message in EXCEPTIONS)
    return ending.detail if ending.kind is EndingKind.REJECTED and not is_exception else ""


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_solvers_accept_mutants(strategy: Strategy, seeds: list[Seed], lab: Lab) -> None:
    reasons = []
    for number, seed in enumerate(seeds if strategy.arity else seeds[:1]):
        given = [seed] * strategy.arity
        accepting = [solver for solver in lab.solvers if not rejected(lab, solver, seed.text)]
        for mutant in islice(strategy.mutants(given, Random(number), lab), COUNT):
            reasons += [
                f"{solver}: {reason}\n{mutant.text}"
                for solver in accepting
                if (reason := rejected(lab, solver, mutant.text))
            ]
    assert not reasons, reasons[0]
