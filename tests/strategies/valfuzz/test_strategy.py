"""valfuzz: the thesis's running example step by step, every refinement, fallbacks, saturation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab

from falsum.smtlib import print_term, read_script
from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request
from falsum.strategies import Mutant, Seed
from falsum.strategies.valfuzz.coverage import MonitorTarget, TargetOutcome
from falsum.strategies.valfuzz.holes import Skeleton
from falsum.strategies.valfuzz.meta_formula import MetaFormula, Refinements
from falsum.strategies.valfuzz.seed_coercion import SeedCoercion
from falsum.strategies.valfuzz.strategy import CONFIGURATIONS, ValFuzz

BASIC = CONFIGURATIONS["skolu"]
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "no"))

FIGURE_2A = "(declare-fun x () Int)\n(assert (or (< x 7) (> x -1)))\n(check-sat)\n"
COMPARED = """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (or (< (+ x 12) y) (> (* 3 x) 45)))
(assert (or (= x 3) (> y 10) (distinct (+ x y) 17)))
(check-sat)
"""
FIGURE_3 = "(declare-fun x () Int)\n(assert (or (> x 7) (< x -1)))\n(check-sat)\n"


def skeleton(text: str) -> Skeleton:
    script = Skeleton.of(read_script(text))
    assert script is not None
    return script


def meta(text: str, refined: Refinements | None = None) -> MetaFormula:
    return MetaFormula.of(skeleton(text), refined or Refinements(), Random(1))


def watched(text: str, refined: Refinements | None = None) -> list[str]:
    return [print_term(monitor.term) for monitor in meta(text, refined).monitors]


def coerced(strategy: ValFuzz, text: str, lab: FakeLab | LiveLab | None, number: int = 1) -> SeedCoercion:
    found = strategy.coerce(Seed("seed", text), Random(number), lab)
    assert found is not None
    return found


def sat(model: str) -> Answer:
    return Answer((Verdict.SAT,), FINISHED, model=model)


def lab_of(**functions: Callable[[str], Answer]) -> FakeLab:
    return FakeLab(functions)


def _saying(answer: Answer, script: str) -> Answer:
    del script
    return answer


def constants_in(mutants: list[Mutant]) -> list[str]:
    return [m.text for m in mutants if "solved by" in m.lineage[0]]


# -- Figures 2 and 3 ------------------------------------------------------------------------------------


def test_figure_2_skeleton_and_value_mutations() -> None:
    found = skeleton(FIGURE_2A)
    assert [(hole.name, print_term(hole.constant)) for hole in found.holes] == [("h1", "7"), ("h2", "-1")]
    assert found.opened == (
        "(declare-fun x () Int)\n"
        "(declare-fun h1 () Int)\n"
        "(declare-fun h2 () Int)\n"
        "(assert (or (< x h1) (> x h2)))\n"
        "(check-sat)\n"
    )
    first, second = (hole.place for hole in found.holes)
    six, seven = (read_script(f"(assert (= 0 {n}))").assertions[0].args[1] for n in (6, 7))  # type: ignore[union-attr]
    assert found.filled({first: six}) == FIGURE_2A.replace("7", "6")  # Figure 2d
    assert found.filled({first: six, second: seven}) == (  # Figure 2e
        "(declare-fun x () Int)\n(assert (or (< x 6) (> x 7)))\n(check-sat)\n"
    )


@pytest.mark.parametrize(
    ("holes", "x", "expected"),
    [
        ((7, -1), 0, [True, True, True]),  # Figure 2a
        ((6, -1), 0, [True, True, True]),  # Figure 2d: nothing new
        ((6, 7), 8, [False, True, True]),  # Figure 2e: the first branch is false
    ],
)
def test_figure_2_saturation_coverage(holes: tuple[int, int], x: int, expected: list[bool]) -> None:
    made = meta(FIGURE_2A)
    values = {"h1": holes[0], "h2": holes[1], "x": x}
    model = "".join(f"(define-fun {name} () Int {value})\n" for name, value in values.items())
    read = read_model(model, read_script(made.test([])))
    assert [truth(monitor.term, read) for monitor in made.monitors] == expected


def test_figure_3_one_iteration() -> None:
    made = meta(FIGURE_3)  # steps 1 and 2
    assert [print_term(m.term) for m in made.monitors] == ["(> x h1)", "(< x h2)", "(or (> x h1) (< x h2))"]
    test = made.test([(1, True)])  # step 3
    assert test == (
        "(declare-fun x () Int)\n"
        "(declare-fun h1 () Int)\n"
        "(declare-fun h2 () Int)\n"
        "(declare-fun m1 () Bool)\n"
        "(declare-fun m2 () Bool)\n"
        "(declare-fun m3 () Bool)\n"
        "(assert (= m1 (> x h1)))\n"
        "(assert (= m2 (< x h2)))\n"
        "(assert (= m3 (or (> x h1) (< x h2))))\n"
        "(assert m2)\n"
        "(check-sat)\n"
    )
    said = "((define-fun h1 () Int 1) (define-fun h2 () Int 0) (define-fun x () Int (- 1)) "
    said += "(define-fun m1 () Bool false) (define-fun m2 () Bool true) (define-fun m3 () Bool true))"
    lab = lab_of(one=lambda script: sat(said) if script.endswith(test[-26:]) else Answer((), FINISHED))
    seed = coerced(replace(BASIC, numbers=0), FIGURE_3, lab)
    mutants = list(seed.mutants())  # steps 4 and 5
    assert (("one", test)) in lab.asked
    assert constants_in(mutants) == ["(declare-fun x () Int)\n(assert (or (> x 1) (< x 0)))\n(check-sat)\n"]
    assert test in [m.text for m in mutants]  # the solvers are compared on it as well
    assert all(m.claim is None and m.reference is None for m in mutants)
    assert list(seed.coverage.seen) == [(0, False), (1, True), (2, True)]


# -- holes ----------------------------------------------------------------------------------------------


def test_holes_of_every_sort_where_a_variable_may_stand() -> None:
    text = """
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun l () L)
(declare-fun h1 () (Array Int Int))
(declare-fun f () Float16)
(declare-fun v () (_ BitVec 8))
(declare-fun s () String)
(assert (= l (cons 1 nil)))
(assert (= h1 ((as const (Array Int Int)) 3)))
(assert (= f (fp.add RNE f (fp #b0 #b01111 #b0000000000)) ((_ to_fp 5 11) RTZ (- (/ 1.0 3.0)))))
(assert (= ((_ extract 3 0) v) ((_ extract 7 4) (bvadd v (_ bv5 8)))))
(assert (str.in_re s (re.++ (re.range "a" "z") (str.to_re "c") ((_ re.loop 1 2) (str.to_re "d")))))
(assert (and true (> (- 4) (- (str.len s)))))
(check-sat)
"""
    found = skeleton(text)
    constants = [print_term(hole.constant) for hole in found.holes]
    assert constants == [
        "1", "nil", "((as const (Array Int Int)) 3)", "RNE", "(fp #b0 #b01111 #b0000000000)", "RTZ",
        "(- (/ 1.0 3.0))", "(_ bv5 8)", '"c"', "true", "(- 4)",
    ]  # fmt: skip
    assert found.holes[0].name == "h2"  # h1 is taken
    read_script(found.opened)


def test_seeds_without_constants_are_left_alone() -> None:
    assert BASIC.coerce(Seed("s", "(declare-fun p () Bool)(assert p)(check-sat)"), Random(1), None) is None


def test_a_coefficient_that_is_a_variable_leaves_linear_logic() -> None:
    text = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (= (* 3 x) (div x 2)))\n(check-sat)\n"
    made = meta(text)
    assert made.test([]).startswith("(set-logic ALL)")
    places = [hole.place for hole in made.skeleton.holes]
    zero = read_script("(assert (= 0 0))").assertions[0].args[0]  # type: ignore[union-attr]
    assert made.skeleton.filled({places[0]: zero}).startswith("(set-logic QF_LIA)")
    assert made.skeleton.filled({places[1]: zero}).startswith("(set-logic ALL)")


# -- local variables ------------------------------------------------------------------------------------


def test_let_variables_become_global() -> None:
    made = meta("(declare-fun y () Int)(assert (let ((x 8)) (and (< x 3) (< x 4))))(check-sat)")
    assert [print_term(m.term) for m in made.monitors] == [
        "(< l1 h2)",
        "(< l1 h3)",
        "(and (< l1 h2) (< l1 h3))",
        "(let ((x h1)) (and (< x h2) (< x h3)))",
    ]
    assert "(declare-fun l1 () Int)\n" in made.test([])


QUANTIFIED = "(assert ({} ((x Int)) (or (> x 3) (> x 4))))(check-sat)"


@pytest.mark.parametrize(
    ("kind", "refined", "skolemised"),
    [
        ("exists", Refinements(skolu=False), True),
        ("forall", Refinements(skolu=False), False),
        ("forall", Refinements(skolu=True), True),
        ("exists", Refinements(skolu=False, noskole=True), False),
        ("forall", Refinements(skolu=False, noskole=True), False),
    ],
)
def test_quantifiers_are_skolemised_or_copied(kind: str, refined: Refinements, skolemised: bool) -> None:
    seen = watched(QUANTIFIED.format(kind), refined)
    if skolemised:
        assert seen == ["(> q1 h1)", "(> q1 h2)", "(or (> q1 h1) (> q1 h2))"]
    else:
        prefix = f"({kind} ((x Int)) "
        assert seen == [f"{prefix}{part})" for part in ("(> x h1)", "(> x h2)", "(or (> x h1) (> x h2))")]


def test_equal_names_of_different_binders_are_told_apart() -> None:
    text = (
        "(assert (and (exists ((x Int)) (> x 1)) (exists ((x Int)) (let ((x (+ x 1))) (< x 2)))))(check-sat)"
    )
    seen = watched(text)
    assert seen[:2] == ["(> q2 h1)", "(< l1 h3)"]
    assert seen[2] == "(let ((x (+ q1 h2))) (< x h3))"


# -- refinements ----------------------------------------------------------------------------------------


def test_abstract_domains_of_variables() -> None:
    assert watched(FIGURE_3, Refinements(adomain=True))[3:] == ["(= x 0)", "(< x 0)", "(> x 0)"]
    assert watched('(declare-fun s () String)(assert (= s "a"))', Refinements(adomain=True))[1:] == [
        '(= s "")'
    ]
    floats = watched("(declare-fun f () Float16)(assert (fp.lt f (_ +oo 5 11)))", Refinements(adomain=True))[
        1:
    ]
    assert len(floats) == 7
    bits = "(declare-fun v () (_ BitVec 2))(assert (= v #b01))"
    assert watched(bits, Refinements(adomain=True)) == ["(= v h1)"]
    assert len(watched(bits, Refinements(adomain=True, wide=True))) == 4


def test_abstract_domains_of_expressions() -> None:
    text = "(declare-fun x () Int)(declare-fun y () Int)(assert (< x (+ 1 y)))(check-sat)"
    inner = ["(= (+ h1 y) 0)", "(< (+ h1 y) 0)", "(> (+ h1 y) 0)"]
    assert [t for t in watched(text, Refinements(adomaine=True)) if "(+ h1 y) 0" in t] == inner
    assert not [t for t in watched(text, Refinements(adomain=True)) if "(+ h1 y) 0" in t]
    assert set(watched(text, Refinements(adomain=True))) < set(watched(text, Refinements(adomaine=True)))


def test_the_original_formula_and_its_negation_are_appended() -> None:
    made = meta(FIGURE_3, Refinements(cpog=True))
    assert "(assert (or (> x h1) (< x h2)))\n" in made.test([(1, True)], "+")
    assert "(assert (not (or (> x h1) (< x h2))))\n" in made.test([(1, True)], "-")
    assert len(made.targets) == 2 * len(meta(FIGURE_3).targets) == 12


def test_constraints_are_enforced_in_the_final_formula() -> None:
    model = "((define-fun h1 () Int 5) (define-fun h2 () Int 1))"
    seed = coerced(CONFIGURATIONS["effinal"], FIGURE_3, lab_of(one=lambda _: sat(model)))
    mutants = constants_in(list(seed.mutants()))
    added = "(assert (= m2 (< x 1)))\n(assert m2)\n(check-sat)\n"
    assert any(text.endswith(added) and "(declare-fun m2 () Bool)\n" in text for text in mutants)
    plain = constants_in(list(coerced(BASIC, FIGURE_3, lab_of(one=lambda _: sat(model))).mutants()))
    assert len(plain) == 1
    assert "m2" not in plain[0]


def test_a_monitor_of_a_later_assertion_is_enforced_behind_it() -> None:
    text = """(declare-fun x () Int)
(assert (< x 5))
(check-sat)
(push 1)
(assert (> x 2))
(check-sat)
(pop 1)
"""
    model = "((define-fun h1 () Int 6) (define-fun h2 () Int 1))"
    seed = coerced(CONFIGURATIONS["effinal"], text, lab_of(one=lambda _: sat(model)))
    mutants = constants_in(list(seed.mutants()))
    later = next(text for text in mutants if "(assert (= m2 (> x 1)))" in text)
    assert later.index("(push 1)") < later.index("(assert (= m2 (> x 1)))") < later.rindex("(check-sat)")
    first = next(text for text in mutants if "(assert (= m1 (< x 6)))" in text)
    assert first.index("(assert (= m1 (< x 6)))") < first.index("(check-sat)")
    assert all(read_script(text) for text in mutants)


def test_variables_of_lets_are_tied_to_their_values() -> None:
    text = """(declare-fun x () Int)
(assert (let ((a (+ x 1))) (let ((b (* 2 a))) (and (< b 7) (forall ((y Int)) (let ((c (+ y b))) (> c 3)))))))
(check-sat)
"""
    free = meta(text).test([])
    tied = meta(text, Refinements(lets=True)).test([])
    assert "(assert (= l" not in free
    definitions = [line for line in tied.splitlines() if line.startswith("(assert (= l")]
    assert sorted(definitions) == [
        "(assert (= l1 (* h2 l3)))",
        "(assert (= l2 (+ q1 l1)))",
        "(assert (= l3 (+ x h1)))",
    ]
    with z3() as lab:
        assert lab.ask(Request("z3", tied)).verdict is Verdict.SAT


def test_only_leaf_expressions_are_watched() -> None:
    text = "(declare-fun x () Int)(assert (and (< x 2) (> x 3)))(check-sat)"
    assert watched(text, Refinements(leafopt=True)) == ["(< x h1)", "(> x h2)"]
    assert len(watched(text)) == 3


def test_several_constraints_are_enforced_at_once() -> None:
    text = "".join(f"(assert (< {n} x))\n" for n in range(10))
    seed = coerced(CONFIGURATIONS["multief7"], f"(declare-fun x () Int)\n{text}(check-sat)\n", None)
    tests = [m for m in seed.mutants() if "to be solved" in m.lineage[0]]
    assert len(tests) == 20
    for mutant in tests:
        lines = mutant.text.splitlines()
        assert sum(line.startswith(("(assert m", "(assert (not m")) for line in lines) == 7


def test_relations_between_few_constants() -> None:
    assert watched(FIGURE_3, Refinements(relc=3))[3:] == ["(= h1 h2)", "(< h1 h2)", "(> h1 h2)"]
    many = "(declare-fun x () Int)(assert (distinct x 1 2 3 4 5))(check-sat)"
    assert len(watched(many, Refinements(relc=3))) == 1 + 3 * 3
    strings = '(declare-fun s () String)(assert (distinct s "a" "b"))(check-sat)'
    assert watched(strings, Refinements(relc=3))[1:] == ["(= h1 h2)"]
    mixed = '(declare-fun s () String)(assert (= (str.at s 1) "b"))(check-sat)'
    assert len(watched(mixed, Refinements(relc=3))) == 1


def test_blends_are_what_the_thesis_says() -> None:
    blends = {name: CONFIGURATIONS[name] for name in ("blenda", "blendb", "blendbleaf")}
    flags = {
        name: (b.adomain, b.cpog, b.relc, b.multief, b.leafopt, b.adomaine, b.effinal)
        for name, b in blends.items()
    }
    assert flags == {
        "blenda": (True, True, 0, 1, False, False, False),
        "blendb": (True, False, 3, 7, False, False, False),
        "blendbleaf": (True, False, 3, 7, True, False, False),
    }


def test_the_random_baseline_asks_nobody_and_does_not_end() -> None:
    lab = FakeLab({})
    mutants = list(islice(coerced(CONFIGURATIONS["rbase"], FIGURE_3, lab).mutants(), 200))
    assert len({m.text for m in mutants}) == 200
    assert not lab.asked
    holes = [skeleton(m.text).holes for m in mutants]
    numbers = [int(h.constant.payload) for some in holes for h in some if hasattr(h.constant, "payload")]
    assert max(numbers) > 10**8
    corners = list(islice(coerced(CONFIGURATIONS["rcorner"], FIGURE_3, lab).mutants(), 50))
    assert sum("(> x 0)" in m.text or "(> x 1)" in m.text for m in corners) > 3


# -- solving --------------------------------------------------------------------------------------------


def test_the_next_solver_is_asked_where_one_fails() -> None:
    model = "((define-fun h1 () Int 5) (define-fun h2 () Int 9))"
    failures = {
        "rejecting": REJECTED,
        "late": Answer((), Ending(EndingKind.TIMED_OUT)),
        "unknowing": Answer((Verdict.UNKNOWN,), FINISHED),
        "mute": Answer((Verdict.SAT,), FINISHED),
        "babbling": sat("(((("),
    }
    functions: dict[str, Callable[[str], Answer]] = {
        name: partial(_saying, answer) for name, answer in failures.items()
    }
    functions["able"] = lambda _: sat(model)
    lab = FakeLab(functions)
    seed = coerced(BASIC, FIGURE_3, lab, 2)
    mutants = list(seed.mutants())
    assert [m.lineage[0].rpartition(" ")[2] for m in mutants if "solved by" in m.lineage[0]] == ["able"]
    assert {name for name, _ in lab.asked} == set(functions)
    assert set(seed.coverage.outcomes.values()) == {TargetOutcome.SAT}


def test_random_seeds_are_given_if_the_solver_takes_them() -> None:
    model = "((define-fun h1 () Int 5) (define-fun h2 () Int 9))"

    def picky(script: str) -> Answer:
        return REJECTED if ":smt." in script else sat(model)

    lab = lab_of(picky=picky)  # of no known product
    list(coerced(replace(BASIC, numbers=3), FIGURE_3, lab).mutants())
    assert any(script.startswith("(set-option :random-seed") for _, script in lab.asked)
    lab = lab_of(z3=picky)
    list(coerced(replace(BASIC, numbers=3), FIGURE_3, lab).mutants())
    # What it rejects is tried once, not for every enforcement.
    assert sum(":smt." in script for _, script in lab.asked) == 1
    lab = lab_of(picky=picky)
    list(coerced(replace(BASIC, numbers=0), FIGURE_3, lab).mutants())
    assert not any("set-option" in script for _, script in lab.asked)


def test_several_models_differ_by_blocking() -> None:
    def counting(script: str) -> Answer:
        blocked = script.count("(not (= h1")
        return sat(f"((define-fun h1 () Int {blocked}) (define-fun h2 () Int 9))")

    one = constants_in(list(coerced(BASIC, FIGURE_3, lab_of(z=counting)).mutants()))
    three = constants_in(list(coerced(replace(BASIC, models=3), FIGURE_3, lab_of(z=counting)).mutants()))
    assert len(one) == 1
    assert [text.split("(> x ")[1][0] for text in three] == ["0", "1", "2"]


def test_soft_wishes_and_the_way_without_them() -> None:
    def soft(script: str) -> Answer:
        return sat(f"((define-fun h1 () Int {int('assert-soft' in script)}) (define-fun h2 () Int 2))")

    def hard(script: str) -> Answer:
        return REJECTED if "assert-soft" in script else soft(script)

    wishing = replace(BASIC, maxsmt=1.0)
    assert "(> x 1)" in constants_in(list(coerced(wishing, FIGURE_3, lab_of(z=soft)).mutants()))[0]
    assert "(> x 0)" in constants_in(list(coerced(wishing, FIGURE_3, lab_of(z=hard)).mutants()))[0]
    assert "(> x 0)" in constants_in(list(coerced(BASIC, FIGURE_3, lab_of(z=soft)).mutants()))[0]


def test_few_constants_change_where_the_others_are_kept() -> None:
    text = "(declare-fun x () Int)(assert (distinct x 1 2 3 4 5 6))(assert (< x 7))(check-sat)"

    def differences(strategy: ValFuzz) -> list[int]:
        with z3() as lab:
            mutants = list(coerced(strategy, text, lab).mutants())
        lines = [m.lineage for m in mutants if "solved by" in m.lineage[0]]
        return [sum("->" in line for line in some) for some in lines]

    assert all(1 <= count <= 3 for count in differences(replace(BASIC, keep=1.0, models=3)))
    assert max(differences(BASIC)) > 3


def test_constants_are_not_kept_where_that_is_impossible() -> None:
    def strict(script: str) -> Answer:
        return (
            Answer((Verdict.UNSAT,), FINISHED) if "(= h2 -1)" in script else sat("((define-fun h1 () Int 4))")
        )

    seed = coerced(replace(BASIC, keep=1.0), FIGURE_3, lab_of(z=strict))
    assert constants_in(list(seed.mutants()))
    assert set(seed.coverage.outcomes.values()) == {TargetOutcome.SAT}


def test_a_conflict_is_relaxed_to_the_target_alone() -> None:
    def strict(script: str) -> Answer:
        enforced = sum(line.startswith(("(assert m", "(assert (not m")) for line in script.splitlines())
        return Answer((Verdict.UNSAT,), FINISHED) if enforced > 1 else sat("((define-fun h1 () Int 3))")

    blend = replace(BASIC, multief=3)
    stubborn = coerced(blend, FIGURE_3, lab_of(z=strict))
    assert not constants_in(list(stubborn.mutants()))
    assert set(stubborn.coverage.outcomes.values()) == {TargetOutcome.CONFLICT}
    relaxed = coerced(replace(blend, relax=True), FIGURE_3, lab_of(z=strict))
    assert constants_in(list(relaxed.mutants()))
    assert set(relaxed.coverage.outcomes.values()) == {TargetOutcome.SAT}


# -- saturation -----------------------------------------------------------------------------------------


def test_a_seed_is_done_when_saturated() -> None:
    text = "(declare-fun x () Int)(assert (and (< x 3) (< 1 1)))(check-sat)"
    with z3() as lab:
        seed = coerced(BASIC, text, lab)
        steps = seed.mutants()
        first = list(islice(steps, 4))
        assert not seed.coverage.is_saturated
        rest = list(steps)
    assert seed.coverage.is_saturated
    assert "0 targets open" in str(seed.coverage)
    assert seed.coverage.share == 1.0
    assert any("targets open" in line for m in first + rest for line in m.lineage)


def test_time_outs_do_not_saturate_a_seed() -> None:
    memory: dict[str, str] = {}
    late = Answer((), Ending(EndingKind.TIMED_OUT))
    seed = Seed("s", FIGURE_3, memory)
    first = BASIC.coerce(seed, Random(1), lab_of(one=lambda _: late))
    assert first is not None
    assert not constants_in(list(first.mutants()))
    assert set(first.coverage.outcomes.values()) == {TargetOutcome.LATE}
    assert memory[BASIC.name].startswith("open")
    with z3() as lab:
        second = BASIC.coerce(seed, Random(2), lab)
        assert second is not None
        assert constants_in(list(second.mutants()))
    assert memory[BASIC.name].startswith("saturated")


def test_a_visit_ends_where_solvers_are_always_too_late() -> None:
    """A hard seed of sixty targets took a minute of time-outs, all for nothing."""
    late = Answer((), Ending(EndingKind.TIMED_OUT))
    text = "".join(f"(declare-fun x{n} () Int)\n(assert (> x{n} {n}))\n" for n in range(30))
    seed = coerced(BASIC, f"{text}(check-sat)\n", lab_of(one=lambda _: late))
    assert len(seed.coverage.targets) == 60
    list(seed.mutants())
    assert list(seed.coverage.outcomes.values()) == [TargetOutcome.LATE] * 6
    assert len(seed.coverage.open_targets) == 60


def test_answers_of_the_campaign_give_a_value_mutant_for_each_solver() -> None:
    models = {"one": 5, "two": 6}
    answers = {
        name: partial(_saying, sat(f"((define-fun h1 () Int {n}) (define-fun h2 () Int {n}))"))
        for name, n in models.items()
    }
    lab = FakeLab(answers)
    made = list(coerced(ValFuzz(compare=1.0, relc=0, adomain=False), FIGURE_3, lab).mutants())
    assert {m.lineage[0].rpartition(" ")[2] for m in made if "solved by" in m.lineage[0]} == {"one", "two"}
    tests = {m.text for m in made if "to be solved" in m.lineage[0]}
    assert {text for _solver, text in lab.asked} == tests


def test_most_mutants_are_value_mutants() -> None:
    with z3() as lab:
        mutants = list(islice(coerced(ValFuzz(), COMPARED, lab).mutants(), 300))
    tests = sum("to be solved" in mutant.lineage[0] for mutant in mutants)
    assert tests < len(mutants) / 2
    assert len(constants_in(mutants)) > len(mutants) / 2


def test_what_cannot_be_covered_is_refuted() -> None:
    text = "(declare-fun x () Int)(assert (or (< x x) (< x 3)))(check-sat)"
    with z3() as lab:
        seed = coerced(BASIC, text, lab)
        list(seed.mutants())
    assert seed.coverage.refuted == [(0, True)]
    assert seed.coverage.outcomes[MonitorTarget("", 0, True)] is TargetOutcome.UNSAT
    assert seed.coverage.share == 1.0


def test_lazy_targets_are_not_enforced_again() -> None:
    with z3() as lab:
        eager, lazy = (coerced(s, FIGURE_3, lab) for s in (replace(BASIC, lazy=False), BASIC))
        many, few = (sum("to be solved" in m.lineage[0] for m in c.mutants()) for c in (eager, lazy))
    assert few < many == 6
    assert lazy.coverage.is_saturated


# -- with a real solver ---------------------------------------------------------------------------------


def z3() -> LiveLab:
    return live_lab("z3", seconds=5.0)


def test_enforced_monitors_hold_in_z3s_models() -> None:
    with z3() as lab:
        seed = coerced(ValFuzz(maxsmt=0.5, models=2), FIGURE_3, lab)
        mutants = list(seed.mutants())
        assert len(constants_in(mutants)) > 8
        assert not any(lab.ask(Request("z3", m.text)).ending.kind is EndingKind.REJECTED for m in mutants)
    assert seed.coverage.is_saturated


def test_same_number_same_mutants_with_a_real_solver() -> None:
    runs = []
    for _ in range(2):
        with z3() as lab:
            mutants = islice(coerced(ValFuzz(), FIGURE_3, lab, 5).mutants(), 30)
            runs.append([(m.text, m.lineage) for m in mutants])
    assert runs[0] == runs[1]


def test_same_number_same_mutants_with_a_fake_lab() -> None:
    model = "((define-fun h1 () Int 5) (define-fun h2 () Int 9))"
    runs = [
        [m.text for m in coerced(ValFuzz(), FIGURE_3, lab_of(a=lambda _: sat(model)), n).mutants()]
        for n in (3, 3, 4)
    ]
    assert runs[0] == runs[1] != runs[2]
