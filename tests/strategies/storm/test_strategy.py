"""storm's claims: what every check of an incremental instance must be answered."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import configured
from falsum.strategies.storm import Storm
from falsum.strategies.storm.fragments import fragments

SEED = Seed(
    "integers",
    """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun named () Int)
(declare-fun p () Bool)
(assert (=> p (< x named)))
(assert (or (= (mod x 3) 1) (> named 4) (not p)))
(assert (distinct x (- named)))
(check-sat)
""",
)


def instances(count: int) -> list[Mutant]:
    mutants = Storm(incremental=1.0, unsat=0.0).mutants([SEED], Random(5), None)
    return list(islice(mutants, count))


def test_every_claim_of_a_check_holds_under_its_witness() -> None:
    kinds = set()
    for mutant in instances(150):
        assert mutant.claim is not None
        script = read_script(mutant.text)
        flat = list(at_each_check(script))
        for each, verdict in zip(flat, mutant.claim.verdicts, strict=True):
            held = truths(each, read_model(mutant.claim.witness, each))
            kinds.add(verdict)
            if verdict is Verdict.SAT:
                assert all(value is True for value in held), mutant.text
            else:
                # Only the assumption is false: the assertions hold as always.
                assert False in held
    assert kinds == {Verdict.SAT, Verdict.UNSAT}


def test_instances_have_levels_and_assumptions() -> None:
    texts = [mutant.text for mutant in instances(60)]
    for word in ("(push 1)", "(pop 1)", "(check-sat)", "(check-sat-assuming (", "(not named_"):
        assert any(word in text for text in texts)
    assert all("(declare-fun named () Int)" in text for text in texts)


def test_solvers_say_what_is_claimed() -> None:
    solvers = ("z3", "cvc5")
    with live_lab(*solvers, seconds=5) as lab:
        for mutant in instances(25):
            assert mutant.claim is not None
            for solver in solvers:
                assert lab.ask(Request(solver, mutant.text)).verdicts == mutant.claim.verdicts, mutant.text


def test_the_witness_knows_what_a_solver_chose_at_an_open_point() -> None:
    text = "(declare-fun x () Int)(assert (> (div x x) 55))(assert (= x 0))(check-sat)\n"
    chosen = 0
    with live_lab("z3", seconds=5) as lab:
        for mutant in draw(Storm(incremental=0.0, unsat=0.0), [Seed("open", text)], 1, 20, lab):
            assert mutant.claim is not None
            script = read_script(mutant.text)
            model = read_model(mutant.claim.witness, script)
            assert all(value is True for value in truths(script, model)), mutant.claim.witness
            chosen += "div0" in mutant.claim.witness
    assert chosen


def test_what_cannot_be_written_of_an_assignment_decides_nothing() -> None:
    """z3's own `List` is declared nowhere, so its values have no text."""
    text = "(declare-const a (List Int))(declare-const b (List Int))(assert (= a (insert 1 b)))(check-sat)\n"
    with live_lab("z3", seconds=5) as lab:
        for mutant in draw(Storm(), [Seed("lists", text)], 1, 60, lab):
            assert mutant.claim is not None
            for each, verdict in zip(
                at_each_check(read_script(mutant.text)), mutant.claim.verdicts, strict=True
            ):
                held = truths(each, read_model(mutant.claim.witness, each))
                assert verdict is Verdict.UNSAT or all(value is True for value in held), mutant.text


NESTED = Seed(
    "nested",
    "(set-logic QF_UF)" + "".join(f"(declare-const p{i} Bool)" for i in range(8))
    + "(assert (or p0 (and p1 (or p2 (and p3 (or p4 (and p5 (or p6 (not p7)))))))))(check-sat)",
)  # fmt: skip


def deepest(seed: Seed, depth: int) -> int:
    """The most connectives nested in a formula of some instances, without the negation that asserts it."""
    found = 0
    for mutant in draw(Storm(depth=depth, incremental=0.0, unsat=0.0), [seed], 3, 40):
        for fragment in fragments(read_script(mutant.text), 1000).usable:
            found = max(found, fragment.depth)
    return found - 1


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_depth_bounds_the_connectives_of_formulas(depth: int) -> None:
    assert deepest(NESTED, depth) == depth


def test_depth_does_not_count_the_nesting_of_terms() -> None:
    """The terms of a seed are its own; what STORM adds are connectives."""
    sum_of_sums = "x"
    for _ in range(20):
        sum_of_sums = f"(+ 1 {sum_of_sums})"
    seed = Seed("deep", f"(declare-fun x () Int)(assert (< {sum_of_sums} 30))(check-sat)")
    assert deepest(seed, 1) == 1


def test_the_paper_has_no_claims_of_ours() -> None:
    paper = configured(Storm(), ["paper"])
    assert (paper.depth, paper.assertions, paper.constructed, paper.per_model) == (64, 64, 1000, 1000)
    for mutant in draw(paper, [SEED], 1, 60):
        assert mutant.claim is not None
        assert set(mutant.claim.verdicts) == {Verdict.SAT}
        assert "named" not in mutant.text.replace("(declare-fun named", "").replace(" named", "")


def test_levels_are_pushed_and_popped_several_at_once() -> None:
    text = "".join(mutant.text for mutant in instances(60))
    for word in ("(push 2)", "(push 3)", "(pop 2)", "(pop 3)"):
        assert word in text


def test_fragments_of_changed_seeds_have_claims_like_those_of_the_seed() -> None:
    """STORM changes no atom, so a bug that a token of an atom hides stays hidden."""
    verdicts = set()
    operators = set()
    with live_lab("z3", seconds=5) as lab:
        for mutant in draw(Storm(changed=1.0, unsat=0.0), [SEED], 1, 40, lab):
            assert mutant.claim is not None
            assert mutant.lineage[0].startswith("storm: edit of the seed at "), mutant.lineage
            script = read_script(mutant.text)
            for each, verdict in zip(at_each_check(script), mutant.claim.verdicts, strict=True):
                held = truths(each, read_model(mutant.claim.witness, each))
                verdicts.add(verdict)
                assert verdict is Verdict.UNSAT or all(value is True for value in held), mutant.text
            operators |= {name for name in ("(div ", "(<= ", "(>= ", "(xor ") if name in mutant.text}
    assert Verdict.SAT in verdicts
    assert len(operators) > 1
    for mutant in draw(Storm(changed=0.0), [SEED], 1, 40):
        assert not any("edit of the seed" in line for line in mutant.lineage)


def test_a_seed_whose_changes_have_no_fragments_ends() -> None:
    text = "(set-logic QF_UF)\n(assert true)\n(check-sat)\n"
    assert not list(islice(Storm(changed=1.0).mutants([Seed("plain", text)], Random(1), None), 5))
