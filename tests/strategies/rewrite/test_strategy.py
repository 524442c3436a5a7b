"""rewrite: every mutant means what the seed means."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tests.labs import live_lab
from tests.strategies.drawn import draw
from tests.strategies.sparrow.test_strategy import ARRAYS, OVERFLOWS, SHAPES, WORDS
from tests.strategies.test_contract import SEEDS

from falsum.smtlib import print_term, read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.scripts import DefineFun
from falsum.smtlib.verdict import Verdict
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request
from falsum.strategies import BY_NAME, find_strategy
from falsum.strategies.mutant import Seed
from falsum.strategies.rewrite import Rewrite
from falsum.strategies.rewrite.structural import RULES, ScriptContext

DECLARED = """
(declare-fun p () Bool)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(declare-fun a () (Array Int Int))
(declare-fun b () (Array Int Int))
(declare-fun f (Int) Int)
(define-fun twice ((n Int)) Int (+ n n (f x)))
"""
# By rule, formulas it must be able to change.
EXAMPLES = {
    "arguments permuted": "(< 0 (+ x y z 1))",
    "arguments regrouped": "(and p (< x y) (< y z))",
    "ite lifted": "(= x (+ y (ite p z 1)))",
    "let out": "(< (f x) (+ (f x) y))",
    "let in": "(let ((x y) (y x)) (exists ((y Int)) (< x (+ y z))))",
    "variables renamed": "(forall ((x Int)) (exists ((y Int)) (< x (+ y z))))",
    "quantifier's variables reordered": "(forall ((n Int) (m Int)) (= (f n) (f m)))",
    "quantifier split or merged": "(forall ((n Int) (m Int)) (= (f n) (f m)))",
    "quantifier dualised": "(exists ((n Int)) (= (f n) (f x)))",
    "quantifier without need": "(forall ((n Int) (m Int)) (= (f n) 1))",
    "extensionality": "(= (store a x y) b)",
    "definition unfolded": "(< (twice (f x)) (f (twice y)))",
}


@pytest.fixture(scope="module")
def z3() -> Iterator[LiveLab]:
    with live_lab("z3", seconds=5) as lab:
        yield lab


def test_every_change_has_an_example() -> None:
    assert list(EXAMPLES) == list(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_change_is_proved_by_a_solver(rule: str, z3: LiveLab) -> None:
    script = read_script(f"{DECLARED}(assert {EXAMPLES[rule]})")
    bodies = {c.function: (c.binders, c.body) for c in script.commands if isinstance(c, DefineFun)}
    definitions = ScriptContext(bodies, is_linear=False, has_quantifiers=True)
    whole = script.assertions[0]
    changed = 0
    for number in range(6):
        # At the root, or one of the parts if the rule does not concern the root.
        for part in (whole, *getattr(whole, "args", ())):
            new = RULES[rule](part, definitions, Random(number))
            if new is not None and new is not part:
                changed += 1
                asked = f"{DECLARED}(assert (distinct {print_term(part)} {print_term(new)}))(check-sat)"
                assert z3.ask(Request("z3", asked)).verdict is Verdict.UNSAT, asked
    assert changed


@pytest.mark.parametrize("seed", [*SEEDS, SHAPES, ARRAYS, OVERFLOWS, WORDS], ids=lambda s: s.name)
def test_mutants_have_the_truth_of_the_seed(seed: Seed) -> None:
    """Under random models, assertion by assertion, wherever the evaluator can say."""
    compared = 0
    for number, mutant in enumerate(draw(Rewrite(), [seed], 7, 25)):
        assert mutant.reference == seed.text
        script = read_script(mutant.text)
        for sample in range(2):
            model = random_model(script, Random(f"{number}:{sample}"))
            pairs = list(zip(truths(seed.script, model, 1000), truths(script, model, 1000), strict=True))
            for before, after in pairs:
                if isinstance(before, bool) and isinstance(after, bool):
                    assert before is after, mutant.text
                    compared += 1
    assert compared > 20


def test_most_and_depth_bound_a_mutant() -> None:
    for mutant in draw(Rewrite(most=1, depth=1), [SHAPES], 3, 40):
        assert len(mutant.lineage) == 1
        assert ", " not in mutant.lineage[0].rsplit(" by ", 1)[1]
    assert any(len(m.lineage) > 2 for m in draw(Rewrite(), [SHAPES], 3, 40))


def test_all_theories_are_rewritten_by_their_own_laws() -> None:
    for seed, word in ((WORDS, "str."), (OVERFLOWS, "bv"), (SEEDS[3], "fp-"), (ARRAYS, "select")):
        lines = [m.lineage for m in draw(Rewrite(), [seed], 5, 60)]
        assert any(word in line.rsplit(" by ", 1)[1] for lineage in lines for line in lineage)


def test_laws_hold_at_sorts_a_script_declares() -> None:
    text = """(set-logic ALL)(declare-sort U 0)(declare-sort |a pair| 2)
(declare-fun u () U)(declare-fun a () (Array U (|a pair| U Int)))
(assert (= a (store a u (select a u))))(check-sat)"""
    seed = Seed("sorts", text)
    lines = [line for m in draw(Rewrite(), [seed], 4, 150) for line in m.lineage]
    assert any("store" in line.rsplit(" by ", 1)[1] for line in lines)


def test_a_declared_sort_may_have_the_name_of_a_theory_s() -> None:
    text = """(set-logic ALL)(declare-sort Set 0)(declare-fun a () Set)(declare-fun b () Set)
(declare-fun f (Set) Set)(assert (= a (f b)))(assert (not (= b (f a))))(check-sat)"""
    mutants = list(draw(Rewrite(), [Seed("sets", text)], 1, 200))
    assert len(mutants) == 200
    for mutant in mutants:
        read_script(mutant.text)


def test_a_definition_is_not_unfolded_where_its_names_are_bound() -> None:
    text = "(declare-fun c () Int)(define-fun g () Int (+ c 1))(assert (forall ((c Int)) (< g c)))(check-sat)"
    seed = Seed("captured", text)
    strategy = Rewrite(by_law=0.0, depth=1)
    for mutant in draw(strategy, [seed], 1, 60):
        assert "(< (+ c 1) c)" not in mutant.text


def test_a_claim_survives_a_rewrite() -> None:
    lab = FakeLab({"s": lambda _: "sat"})
    strategy = find_strategy("sparrow+rewrite", BY_NAME)
    for mutant in draw(strategy, [SHAPES], 2, 10, lab):
        assert mutant.claim is not None
        assert mutant.claim.verdicts == (Verdict.SAT,)
        assert {line.split()[0] for line in mutant.lineage} >= {"sparrow"}
