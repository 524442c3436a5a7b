"""What every strategy has to keep, the day it is added."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import ALL, Claim, Mutant, Seed, Strategy

ROOT = Path(__file__).parents[2]
SEEDS = [
    Seed(
        "strings",
        """(set-logic QF_SLIA)
(declare-fun x () String)
(declare-fun y () String)
(assert (= (str.replace x "B" (str.++ "B" "B")) (str.++ y "B")))
(assert (< (str.len x) (+ 1 (str.indexof y "a" 0))))
(check-sat)
""",
    ),
    Seed(
        "binders",
        """(set-logic ALL)
(declare-fun a () Int)
(declare-fun f (Int) Int)
(assert (forall ((z Int) (a Int)) (let ((w (+ z a)) (f 1)) (=> (> w f) (exists ((z Int)) (= z w))))))
(assert (! (= (f a) (+ a 1)) :named first))
(define-fun g ((z Int)) Int (ite (< z a) (f z) 0))
(assert (=> first (> (g 3) (f (g a)))))
(check-sat)
""",
    ),
    Seed(
        "bits",
        """(set-logic QF_ABV)
(declare-fun v () (_ BitVec 8))
(declare-fun w () (_ BitVec 4))
(declare-fun m () (Array (_ BitVec 4) (_ BitVec 8)))
(assert (bvult ((_ zero_extend 4) w) (bvadd v #x01)))
(push 1)
(assert (= (select m ((_ extract 3 0) v)) (concat w #b0101)))
(check-sat)
(pop 1)
(assert (not (= (store m w v) m)))
(check-sat)
""",
    ),
    Seed(
        "floats",
        """(set-logic QF_FP)
(declare-fun r () RoundingMode)
(declare-fun x () (_ FloatingPoint 5 11))
(declare-fun y () Float16)
(assert (fp.lt (fp.add r x y) (fp.mul RNE x (fp #b0 #b01111 #b0000000000))))
(assert (not (fp.isNaN (fp.sqrt r y))))
(check-sat)
""",
    ),
    Seed(
        "linear",
        """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (let ((k 3)) (> (* k x) (+ y 2))))
(assert (distinct (mod x 5) (- y)))
(check-sat)
""",
    ),
]

HORN = Seed(
    "clauses",
    """(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (> x y)) (q x y))))
(assert (forall ((x Int)) (=> (q 1 x) false)))
(check-sat)
""",
)
# Strategies of one kind of seeds.
ONLY_OF = {"interrogation": HORN}


def made(strategy: Strategy, seed: Seed, number: int, count: int, lab: Lab | None = None) -> list[Mutant]:
    seeds = [ONLY_OF.get(strategy.name, seed), *SEEDS[: max(strategy.arity - 1, 0)]]
    some = list(islice(strategy.mutants(seeds, Random(number), lab), count))
    assert some
    return some


def mutants(strategy: Strategy, seed: Seed, number: int, count: int = 40) -> list[str]:
    return [mutant.text for mutant in made(strategy, seed, number, count)]


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
@pytest.mark.parametrize("seed", SEEDS, ids=lambda s: s.name)
def test_mutants_read_back(strategy: Strategy, seed: Seed) -> None:
    """Well-sorted by construction: our own reader takes every mutant."""
    for text in mutants(strategy, seed, 1):
        read_script(text)


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_same_number_same_mutants_in_any_process(strategy: Strategy) -> None:
    program = (
        "from tests.strategies.test_contract import mutants, SEEDS\n"
        "from falsum.strategies import BY_NAME\n"
        f"for seed in SEEDS: print(mutants(BY_NAME[{strategy.name!r}], seed, 7, 15))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(salt), "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "src")))},
        ).stdout
        for salt in (1, 2)
    ]
    assert runs[0] == runs[1]
    assert runs[0].count("check-sat") > 20


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_seeds_stay_as_they_are(strategy: Strategy) -> None:
    for seed in SEEDS:
        before = seed.script
        mutants(strategy, seed, 3)
        assert seed.script is before


# The end of a lineage's line: what a term became, shortened, and by which rule.
BECAME = re.compile(r" -> (.+?)(?:\.\.\.)?(?: by .+)?$")


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_every_mutant_says_how_it_was_made(strategy: Strategy) -> None:
    for seed in SEEDS:
        for mutant in made(strategy, seed, 5, 10):
            assert mutant.lineage
            for line in mutant.lineage:
                assert re.fullmatch(rf"{strategy.name}( \d+)?( \w+)*: .+", line), line
            # Later edits may change what earlier ones made, so only the last is there for certain.
            edit = BECAME.search(mutant.lineage[-1])
            assert edit is None or edit[1] in mutant.text


SOLVERS = ("z3", "cvc5", "bitwuzla")
# What a strategy promises, about the seeds above, with solvers at hand; without them only storm promises.
PROMISES: dict[str, set[str]] = {
    "storm": {"witness", "verdict"},
    "sparrow": {"verdict"},
    "rewrite": {"reference"},
    "fusion": {"witness", "verdict"},
    "pivot": {"witness", "verdict"},
    "valfuzz": {"witness"},
    "interrogation": {"reference", "verdict"},
    **{name: set() for name in "typefuzz opfuzz fuzzchick generate enumerate".split()},
}
SECONDS = 0.5


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    zoo = Zoo()
    with LiveLab([resolve(name, zoo) for name in SOLVERS], Limits(seconds=SECONDS)) as live:
        yield live


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_promises_hold_for_real_solvers(strategy: Strategy, lab: Lab) -> None:
    """Every claim has a verdict for each check, every witness is a model, and no solver says otherwise."""
    promised = set()
    for seed in SEEDS:
        for mutant in made(strategy, seed, 1, 6, lab):
            script = read_script(mutant.text)
            if mutant.claim is not None:
                promised.add("witness" if check_witness(mutant.claim, script) else "verdict")
                check_verdicts(lab, mutant.text, mutant.claim.verdicts)
            if mutant.reference is not None:
                promised.add("reference")
                for solver in SOLVERS:
                    check_verdicts(lab, mutant.text, lab.ask(Request(solver, mutant.reference)).verdicts)
    assert promised == PROMISES.get(strategy.name, promised)


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_witnesses_are_models(strategy: Strategy) -> None:
    """Where no solver was asked, every claim of sat has a witness."""
    some = [mutant for seed in SEEDS for mutant in made(strategy, seed, 2, 60)]
    claims = [(mutant.claim, read_script(mutant.text)) for mutant in some if mutant.claim is not None]
    assert all(Verdict.SAT not in claim.verdicts or check_witness(claim, script) for claim, script in claims)
    assert claims or strategy.name != "storm"


def check_witness(claim: Claim, script: Script) -> bool:
    """Whether there is a witness; then it satisfies all that is asserted at each check claimed sat."""
    checks = list(at_each_check(script))
    assert len(checks) == len(claim.verdicts)
    if not claim.witness:
        return False
    for at, verdict in zip(checks, claim.verdicts, strict=True):
        if verdict is Verdict.SAT:
            held = truths(at, read_model(claim.witness, at))
            assert False not in held, (claim.witness, script)
            # Quantifiers over all integers are beyond evaluation; nothing else here is.
            assert all(value is True for value in held) or "forall" in print_script(script)
    return True


def check_verdicts(lab: Lab, text: str, truth: Sequence[Verdict | None]) -> None:
    for solver in SOLVERS:
        said = lab.ask(Request(solver, text)).verdicts
        for verdict, promised in zip(said, truth, strict=False):
            assert promised is None or not verdict.contradicts(promised), (solver, verdict, promised, text)
