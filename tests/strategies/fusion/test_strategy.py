"""fusion: two seeds in one, and nothing that is promised is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.seeds import bundled
from falsum.smtlib import print_script, read_script
from falsum.smtlib.evaluation.evaluator import truth, truths
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import DeclareSort
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request
from falsum.strategies import Mutant, Seed
from falsum.strategies.fusion import Fusion
from falsum.strategies.fusion.join import JoinedSeeds, join
from falsum.strategies.fusion.laws import FusedConstant, FusionSampler
from falsum.strategies.fusion.seed_text import SeedText
from falsum.strategies.seeds import flatten, write_witness


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with live_lab("z3", "cvc5", seconds=1) as both:
        yield both


def made(first: str, second: str, lab: Lab | None, count: int, number: int = 0) -> list[Mutant]:
    seeds = Seed("one", first), Seed("two", second)
    return draw(Fusion(), seeds, number, count, lab)


def honest(mutant: Mutant, lab: Lab) -> None:
    """A claim is what the solvers say, if they say anything, and a witness satisfies every assertion."""
    script = read_script(mutant.text)
    if mutant.claim is None:
        return
    (verdict,) = mutant.claim.verdicts
    assert verdict is not None
    if mutant.claim.witness:
        held = truths(script, read_model(mutant.claim.witness, script))
        assert False not in held, mutant
    for solver in lab.solvers:
        said = lab.ask(Request(solver, mutant.text)).verdict
        assert said is None or not said.contradicts(verdict), (solver, mutant)


INTS = "(set-logic QF_LIA)(declare-fun x () Int)(assert (> x 0))(assert (> x 1))(check-sat)"
OTHER_INTS = "(set-logic QF_LIA)(declare-fun y () Int)(assert (< y 0))(assert (< y 1))(check-sat)"
NEVER = "(set-logic QF_LIA)(declare-fun x () Int)(assert (and (> x 3) (< x 3)))(check-sat)"
OTHER_NEVER = "(set-logic QF_LIA)(declare-fun v () Int)(assert (= (* 2 v) 7))(check-sat)"


def test_seeds_with_witnesses_are_not_evaluated_again(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("falsum.strategies.fusion.strategy.truth", None)
    for mutant in made(INTS, OTHER_INTS, lab, 20):
        assert mutant.claim is not None
        assert mutant.claim.witness


def test_published_ways(lab: Lab) -> None:
    """Two satisfiable seeds are conjoined, two unsatisfiable ones disjoined beside the equations."""
    plain = Fusion(unusual=0)
    seeds = Seed("one", INTS), Seed("two", OTHER_INTS)
    mutants = draw(plain, seeds, 1, 200, lab)
    assert all(m.claim is not None and m.claim.verdicts == (Verdict.SAT,) for m in mutants)
    assert all(m.claim is not None and m.claim.witness and "(or " not in m.text for m in mutants)
    # The paper's example: z = x + y, and x becomes z - y.
    assert any(re.search(r"\(assert \(> \(- fused!\d+ y\) 0\)\)", m.text) for m in mutants)
    never = draw(plain, (Seed("a", NEVER), Seed("b", OTHER_NEVER)), 1, 50, lab)
    for mutant in never:
        assert mutant.claim is not None
        assert mutant.claim.verdicts == (Verdict.UNSAT,)
        assert "(assert (or (and " in mutant.text
        for line in mutant.lineage[1:]:
            assert f"(assert {line.split(' ', 2)[2]})" in mutant.text


def test_all_pairs_of_statuses_are_right(lab: Lab) -> None:
    seen = set()
    for first in (INTS, NEVER):
        for second in (OTHER_INTS, OTHER_NEVER):
            for mutant in made(first, second, lab, 12):
                honest(mutant, lab)
                assert mutant.claim is not None
                seen.add((first is INTS, second is OTHER_INTS, "(or " in mutant.text, *mutant.claim.verdicts))
    assert len(seen) == 8


DATATYPE = "(set-logic QF_DT)(declare-datatypes ((T 0)) (((c (s Bool)) (d))))(declare-fun t () T)"
# Pairs at which fusion by names alone goes wrong.
TRAPS = {
    "a bound variable hides the constant": (
        "(set-logic LIA)(declare-fun x () Int)(assert (= x 5))(assert (exists ((x Int)) (= x 7)))(check-sat)",
        "(declare-const y Int)(assert (= y 2))(assert (exists ((y Int) (x Int)) (> x y)))(check-sat)",
    ),
    "a binder would capture the other's constant": (
        "(set-logic LIA)(declare-fun x () Int)(assert (exists ((y Int) (z Int)) (= (+ y z) x 5)))(check-sat)",
        "(set-logic LIA)(declare-fun y () Int)(assert (let ((x 3)) (= y (+ x 1))))(check-sat)",
    ),
    "the same names": (INTS, INTS.replace("(> x 0)", "(< x 9)")),
    "the same names, one never": (INTS, NEVER),
    "sorts that differ": (
        "(set-logic QF_LIA)(declare-fun x () Int)(assert (= x 1))(check-sat)",
        "(set-logic QF_LRA)(declare-fun x () Real)(assert (= (* 3 x) 1))(assert (< x (/ 1 2)))(check-sat)",
    ),
    "declared sorts of the same name and other sizes": (
        "(set-logic UF)(declare-sort U 0)(declare-fun a () U)(assert (forall ((u U)) (= u a)))(check-sat)",
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (distinct a b))(check-sat)",
    ),
    "functions of the same name and other ranks": (
        "(set-logic QF_UFLIA)(declare-fun f (Int) Int)(declare-fun n () Int)(assert (= (f n) 1))(check-sat)",
        "(set-logic QF_UFLIA)(declare-fun f (Int Int) Bool)(declare-fun n () Int)(assert (f n 1))(check-sat)",
    ),
    "datatypes of the same name": (
        f"{DATATYPE}(assert ((_ is c) t))(check-sat)",
        f"{DATATYPE.replace('(d)', '(e)')}(declare-fun q () Bool)(assert (= t (c q)))(check-sat)",
    ),
    "the same datatype": (
        f"{DATATYPE}(assert ((_ is c) t))(check-sat)",
        f"{DATATYPE}(declare-fun q () Bool)(assert (= t (c q)))(check-sat)",
    ),
    "zeros, by which nobody may divide": (
        "(set-logic QF_NRA)(declare-fun x () Real)(assert (= x 0))(check-sat)",
        "(set-logic QF_NRA)(declare-fun y () Real)(assert (= y 0))(check-sat)",
    ),
    "names of terms": (
        "(declare-const x Int)(assert (! (> x 3) :named n))(assert (=> n (< x 5)))(check-sat)",
        "(set-logic QF_LIA)(declare-fun n () Int)(assert (! (= n 4) :named x))(assert x)(check-sat)",
    ),
    "levels": (
        "(declare-fun x () Int)(push 1)(assert (< x 0))(check-sat)(pop 1)(assert (> x 0))(check-sat)",
        "(set-logic QF_LIA)(declare-fun y () Int)(assert (> y 0))(check-sat-assuming ((< y 0)))",
    ),
    "words": (
        "(set-logic QF_SLIA)(declare-fun x () String)(assert (= (str.len x) 2))(check-sat)",
        '(set-logic QF_SLIA)(declare-fun x () String)(assert (str.contains "abc" x))(check-sat)',
    ),
    "bits of other widths": (
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (bvult x #x3))(check-sat)",
        "(set-logic QF_BV)(declare-fun x () (_ BitVec 3))(assert (bvugt x #b011))(check-sat)",
    ),
    "floats": (
        "(set-logic QF_FP)(declare-fun x () Float32)(assert (fp.isNaN x))(check-sat)",
        "(declare-const x Float32)(assert (fp.isZero x))(assert (fp.isNegative x))(check-sat)",
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_traps(name: str, lab: Lab) -> None:
    first, second = TRAPS[name]
    for one, other in ((first, second), (second, first)):
        mutants = made(one, other, lab, 6)
        assert mutants
        for mutant in mutants:
            honest(mutant, lab)
            assert mutant.claim is not None


def pair_of(first: str, second: str) -> JoinedSeeds:
    flats = [flatten(read_script(text)) for text in (first, second)]
    assert flats[0] is not None
    assert flats[1] is not None
    pair = join(flats[0], flats[1])
    assert pair is not None
    return pair


def test_joined_scripts_keep_apart_what_is_not_the_same() -> None:
    pair = pair_of(*TRAPS["declared sorts of the same name and other sizes"])
    names = [c.name for c in pair.script.commands if isinstance(c, DeclareSort)]
    assert len(set(names)) == 2
    assert [len(side) for side in pair.sides] == [1, 1]
    apart = pair_of(*TRAPS["datatypes of the same name"])
    assert apart.declared.count("declare-datatypes") == 2
    assert pair_of(*TRAPS["the same datatype"]).declared.count("declare-datatypes") == 1
    caught = pair_of(*TRAPS["a binder would capture the other's constant"])
    assert "(declare-fun y!1 () Int)" in caught.declared
    assert "x!1" in print_script(caught.script)


def test_a_name_of_a_theory_with_another_meaning_is_refused() -> None:
    odd = "(declare-fun bvadd (Int) Int)(declare-fun x () Int)(assert (= (bvadd x) 1))(check-sat)"
    for first, second in ((odd, INTS), (INTS, odd)):
        assert not list(Fusion().mutants((Seed("one", first), Seed("two", second)), Random(0), None))


def drawn(pair: JoinedSeeds, number: int, count: int) -> list[FusedConstant]:
    model = write_witness(random_model(pair.script, Random(number)), pair.script)[1]
    sides = [SeedText.of(*both) for both in zip(pair.sides, pair.constants, strict=True)]
    used = [tuple(c for c in pair.constants[i] if c in sides[i].uses) for i in (0, 1)]
    fuser = FusionSampler(pair, used, sides[0].sorts | sides[1].sorts, model)
    rng = Random(number)
    return [fused for _ in range(count) if (fused := fuser.draw(rng)) is not None]


def test_every_fusion_says_what_is_true() -> None:
    """The equations hold under the model wherever a fusion says so, in every theory of the bundled seeds."""
    seeds = [flatten(read_script(entry.read_text())) for entry in bundled()]
    flats = [flat for flat in seeds if flat is not None]
    rng = Random(5)
    used: set[str] = set()
    for number in range(40):
        pair = join(rng.choice(flats), rng.choice(flats))
        if pair is None:
            continue
        witness = write_witness(random_model(pair.script, Random(number)), pair.script)[0]
        for fused in drawn(pair, number, 12):
            used.add(fused.about.split()[0])
            if fused.in_model:
                equations = "".join(f"(assert {line})\n" for line in fused.equations)
                script = read_script(pair.declared + fused.declaration + equations)
                model = read_model(witness + fused.definition, script)
                for term in script.assertions:
                    assert truth(term, model) is not False, fused
    assert len(used) >= 20


def test_occurrences_are_free_ones_only() -> None:
    pair = pair_of(*TRAPS["a bound variable hides the constant"])
    side = SeedText.of(pair.sides[0], pair.constants[0])
    (holes,) = side.uses.values()
    assert [side.texts[h.assertion][h.start : h.end] for h in holes] == ["x"]
    assert holes[0].assertion == 0
    assert side.replaced({holes[0]: "(- q w)"})[0] == "(= (- q w) 5)"


def test_an_applied_constant_stays() -> None:
    """A constant that is a function may be replaced where it stands alone, not where it is applied."""
    applied = (
        "(set-logic HO_ALL)(declare-fun g () (-> Int Int))(assert (> (g 1) 0))(assert (= g g))(check-sat)"
    )
    pair = pair_of(applied, INTS)
    (holes,) = SeedText.of(pair.sides[0], pair.constants[0]).uses.values()
    assert [hole.assertion for hole in holes] == [1, 1]
    for mutant in made(applied, INTS, None, 20):
        read_script(mutant.text)


def test_solvers_that_disagree_promise_nothing() -> None:
    lab = FakeLab({"a": lambda _: "sat", "b": lambda _: "unsat"})
    never = "(declare-fun x () Int)(assert (distinct x x))(check-sat)"
    mutants = made(never, never, lab, 10)
    assert mutants
    assert all(mutant.claim is None for mutant in mutants)


def test_a_status_without_a_model_needs_laws_without_conditions() -> None:
    """Who says sat and shows no model is believed, but no more than that."""
    lab = FakeLab({"a": lambda _: "sat", "b": lambda _: Answer((Verdict.SAT,), FINISHED)})
    hard = "(set-logic QF_NIA)(declare-fun x () Int)(assert (= (* x x x) (- 27)))(check-sat)"
    for mutant in made(hard, hard, lab, 40):
        assert mutant.claim is not None
        assert mutant.claim.verdicts == (Verdict.SAT,)
        assert not any("fuse-mul" in line for line in mutant.lineage)


def bundled_pairs() -> Iterator[list[Seed]]:
    """A pair of each logic."""
    groups: dict[str, list[Seed]] = {}
    for entry in bundled():
        seed = Seed(entry.name, entry.read_text())
        groups.setdefault(seed.script.logic, []).append(seed)
    rng = Random(2)
    for group in groups.values():
        yield [rng.choice(group), rng.choice(group)]


def test_some_bundled_seeds(lab: Lab) -> None:
    claims = 0
    for number, seeds in enumerate(islice(bundled_pairs(), 0, None, 4)):
        for mutant in islice(Fusion().mutants(seeds, Random(number), lab), 1):
            honest(mutant, lab)
            claims += mutant.claim is not None
    assert claims >= 8


@pytest.mark.slow
def test_bundled_seeds(lab: Lab) -> None:
    """Pairs of one logic, all logics: what is claimed is what z3 and cvc5 say."""
    claims = 0
    for number, seeds in enumerate(bundled_pairs()):
        for mutant in islice(Fusion().mutants(seeds, Random(number), lab), 5):
            honest(mutant, lab)
            claims += mutant.claim is not None
    assert claims >= 100
