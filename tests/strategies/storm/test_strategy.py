"""storm's claims: what every check of an incremental instance must be answered."""

from __future__ import annotations

from itertools import islice
from random import Random

from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.storm import Storm

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
    made = Storm(incremental=1.0).mutants([SEED], Random(5), None)
    return list(islice(made, count))


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
        for mutant in draw(Storm(incremental=0.0), [Seed("open", text)], 1, 20, lab):
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


def mean_nesting(depth: int) -> float:
    """The mean nesting of the assertions of some instances."""
    found = []
    for mutant in draw(Storm(depth=depth, incremental=0.0), [NESTED], 3, 40):
        for term in read_script(mutant.text).assertions:
            text, level, deepest = print_term(term), 0, 0
            for character in text:
                level += (character == "(") - (character == ")")
                deepest = max(deepest, level)
            found.append(deepest)
    return sum(found) / len(found)


def test_depth_bounds_the_nesting_of_formulas() -> None:
    assert mean_nesting(1) <= 1  # at most the negation of a symbol
    assert mean_nesting(1) < mean_nesting(4) < mean_nesting(64)


def test_the_bound_on_assertions_is_reached() -> None:
    """The seed has three assertions and few fragments; instances may have many more."""
    for bound in (1, 5, 64):
        made = Storm(assertions=bound, incremental=0.0).mutants([SEED], Random(1), None)
        sizes = [len(read_script(mutant.text).assertions) for mutant in islice(made, 100)]
        assert max(sizes) <= bound
        assert max(sizes) > 0.8 * bound


def test_tactics_of_the_seed_are_kept() -> None:
    text = SEED.text.replace("(check-sat)", "(check-sat-using (then simplify smt))")
    made = list(islice(Storm(incremental=0).mutants([Seed("tactic", text)], Random(5), None), 20))
    with_tactic = [mutant for mutant in made if "(check-sat-using (then simplify smt))" in mutant.text]
    assert 0 < len(with_tactic) < len(made)
    with live_lab("z3", seconds=5) as lab:
        assert all(lab.ask(Request("z3", m.text)).verdicts == (Verdict.SAT,) for m in with_tactic[:5])
