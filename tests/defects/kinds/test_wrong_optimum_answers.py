"""Optima that made-up solvers give: which are wrong, and which are not judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from tests.defects import liars

from falsum.defects.finding import Finding
from falsum.defects.kinds.wrong_optimum import OptimumOracle, assess_optimum
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.request import Want

MAXIMUM = "(declare-const x Int)(assert (< x 7))(maximize x)(check-sat)"
MINIMUM = "(declare-const x Int)(assert (> x 7))(minimize x)(check-sat)"


# With a choice at a point that the standard leaves open.
CHOSEN = "(declare-const x Int)(assert (and (< x 7) (= (div x 0) 1)))(maximize x)(check-sat)"
CHOICE = "((define-fun x () Int 6) (define-fun div0 ((x Int)) Int 1))"


def gives(*values: str, x: int | None = None, verdict: str = "sat", stderr: str = "") -> Answer:
    """The values of objectives after one check, and perhaps a model of x."""
    listed = "\n".join(f" (x {value})" for value in values)
    model = f"((define-fun x () Int {x}))" if x is not None else None
    printed = f"{verdict}\n(objectives\n{listed}\n)\n" if values else f"{verdict}\n"
    return Answer((Verdict(verdict),), FINISHED, model, stdout=printed, stderr=stderr)


def points(*values: str, last: str = "unsat") -> Answer:
    """One point of a Pareto front after each check, and what follows the last one."""
    printed = "".join(f"sat\n(objectives\n (x {x})\n (y {y})\n)\n" for x, y in map(str.split, values))
    verdicts = ["sat"] * len(values) + ([last] if last else [])
    return Answer(tuple(map(Verdict, verdicts)), FINISHED, stdout=f"{printed}{last}\n")


TWICE = Answer((Verdict.SAT,), FINISHED, stdout="sat\n(objectives\n (x 5)\n)\n(objectives\n (x 5)\n)\n")


@dataclass
class Optimiser:
    """`single` is the answer with one objective, `together` with two; `plain` answers what has none."""

    single: Answer
    plain: Reply = "unsat"
    together: Answer = liars.TIMED_OUT

    def __call__(self, script: str) -> Reply:
        if "(assert (< x 3))" in script:  # the probe
            return gives("2")
        if "(get-objectives)" not in script:
            return self.plain
        return self.together if script.count("imize") > 1 else self.single


def found(text: str, optimiser: Optimiser, lab: FakeLab | None = None) -> Finding | None:
    case = liars.case_of(text, want=Want.VERDICT)
    return OptimumOracle().find(case, lab or liars.lab_of(solver=optimiser))


@pytest.mark.parametrize(
    ("text", "single", "plain", "evidence"),
    [
        (MAXIMUM, gives("6", x=6), "unsat", ""),
        (MAXIMUM, gives("6", x=5), "unsat", "gives 6 as the optimum of x, but under its own model (= x 6)"),
        (MAXIMUM, gives("5", x=5), "sat", "gives 5 as the optimum of x, but there is something better"),
        (MAXIMUM, gives("5"), "sat", "gives 5 as the optimum of x, but there is something better"),
        (MAXIMUM, gives("5", x=5), "unknown", ""),
        (MINIMUM, gives("8", x=8), "unsat", ""),
        (MINIMUM, gives("9", x=9), "sat", "gives 9 as the optimum of x, but there is something better"),
        # The model is wrong, whatever the optimum is.
        (MAXIMUM, gives("9", x=9), "unsat", ""),
        (MAXIMUM, gives("6", x=8), "unsat", ""),
        # It has answered something else than one optimum.
        (MAXIMUM, gives("5", verdict="unknown"), "sat", ""),
        (MAXIMUM, gives(), "sat", ""),
        (MAXIMUM, gives("5", "5"), "sat", ""),
        (MAXIMUM, TWICE, "sat", ""),
        (MAXIMUM, gives("5", stderr="warning: this is not supported"), "sat", ""),
        (MAXIMUM, gives("(+ 5 epsilon)"), "sat", ""),
        # Unsat, with an objective and without.
        (MAXIMUM, gives(verdict="unsat"), "sat", "answers unsat when something is optimised"),
        (MAXIMUM, gives(verdict="unsat"), "unsat", ""),
        (MAXIMUM, gives(verdict="unsat", stderr="objective not supported"), "sat", ""),
        # Unbounded.
        (MAXIMUM, gives("oo"), "unsat", "gives x as unbounded, but answers unsat to (> x 1000000007)"),
        (MAXIMUM, gives("oo"), "sat", ""),
        (MAXIMUM, gives("oo"), "unknown", ""),
        (MAXIMUM, gives("(* (- 1) oo)"), "unsat", ""),
        (MINIMUM, gives("(* (- 1) oo)"), "unsat", "answers unsat to (< x (- 1000000007))"),
        (MINIMUM, gives("oo"), "unsat", ""),
    ],
)
def test_one_optimum(text: str, single: Answer, plain: str, evidence: str) -> None:
    finding = found(text, Optimiser(single, plain))
    assert (finding is not None) is bool(evidence)
    if finding is not None:
        assert finding.suspects == ("solver",)
        assert finding.evidence.startswith(f"solver {evidence}" if evidence[0] == "g" else "solver ")
        assert evidence in finding.evidence
        assert finding.request is not None
        assert finding.request.script.count("(get-objectives)") == 1
        assert "opt.priority" not in finding.request.script
        assert finding.signature.split(" | ")[2] == "single"


TWO = """(declare-const x Int)(declare-const y Int)(assert (and (< 0 x 7) (< 0 y 9) (< (+ x y) 10)))
(maximize x)(maximize y)(check-sat)"""
BOX = f"(set-option :opt.priority box){TWO}"
PARETO = f"(set-option :opt.priority pareto){TWO}"


def both(x: str, y: str) -> Answer:
    return points(f"{x} {y}", last="")


@pytest.mark.parametrize(
    ("text", "together", "plain", "evidence"),
    [
        (TWO, both("6", "3"), "unsat", ""),
        (TWO, both("5", "4"), "unsat", "gives 6 as the optimum of x alone, but 5 together with another"),
        (BOX, both("5", "4"), "unsat", "together with another objective (box)"),
        (TWO, both("oo", "4"), "unsat", ""),
        (TWO, both("oo", "oo"), "unsat", ""),  # nothing says what y is where x is unbounded
        (TWO, gives("6"), "sat", ""),
        (TWO, TWICE, "sat", ""),
        (TWO, liars.TIMED_OUT, "sat", ""),
        (PARETO, points("6 3", "2 7"), "unsat", ""),
        (PARETO, points("6 3", "2 7"), "sat", "gives 2 points as the whole Pareto front, but there is an"),
        (PARETO, points("6 3", "2 7", last="unknown"), "sat", ""),
        (PARETO, points("6 3", "2 7", last=""), "sat", ""),
        (PARETO, points("6 3", "6 2"), "unsat", "gives the points (6, 3) and (6, 2) of one Pareto front"),
        (PARETO, points("2 7", "3 7"), "unsat", "gives the points (2, 7) and (3, 7) of one Pareto front"),
        (PARETO, points("6 3", "2 7", "2 6", last=""), "unsat", "the points (2, 7) and (2, 6)"),
        (PARETO, points("6 3", "oo 7"), "sat", ""),
        (PARETO, points("oo 3", "2 7"), "sat", ""),
        (PARETO, Answer((Verdict.UNSAT,), FINISHED, stdout="unsat\n"), "sat", ""),
        (PARETO, gives("6"), "sat", ""),
    ],
)
def test_two_optima(text: str, together: Answer, plain: str, evidence: str) -> None:
    """With each alone nothing is wrong: the answer `plain` is to what is asked about both."""

    def replies(script: str) -> Reply:
        is_single = script.count("(assert") == 2 and "(or " not in script and "(= x " not in script
        return "unsat" if is_single and "(get-objectives)" not in script else optimiser(script)

    optimiser = Optimiser(gives("6"), plain, together)
    finding = found(text, optimiser, liars.lab_of(solver=replies))
    assert (finding is not None) is bool(evidence)
    if finding is not None:
        assert evidence in finding.evidence
        assert finding.request is not None
        assert finding.request.script.count("(get-objectives)") == (4 if text == PARETO else 1)
        assert finding.signature.split(" | ")[2] in ("lex", "box", "pareto")


@pytest.mark.parametrize(("text", "is_kept"), [(TWO, True), (BOX, False)])
def test_the_second_optimum_is_that_with_the_first_as_it_is(text: str, *, is_kept: bool) -> None:
    """With the priority box each is an optimum by itself."""

    def replies(script: str) -> Reply:
        asserted = script.split("(assert ")[2:]
        about_y = "(get-objectives)" not in script and any("(> y 2)" in each for each in asserted)
        return ("sat" if ("(= x 6)" in script) is is_kept else "unsat") if about_y else optimiser(script)

    optimiser = Optimiser(gives("6"), "unsat", both("6", "2"))
    finding = found(text, optimiser, liars.lab_of(solver=replies))
    assert finding is not None
    assert "gives 2 as the optimum of y, but there is something better" in finding.evidence
    assert ("(= x 6)" in finding.details) is is_kept


def test_an_optimum_that_is_wrong_alone_is_found_whatever_follows() -> None:
    model = "((define-fun x () Int 5) (define-fun y () Int 1))"
    not_attained = found(TWO, Optimiser(replace(gives("6"), model=model)))
    not_best = found(TWO, Optimiser(gives("5"), "sat"))
    assert not_attained is not None
    assert not_best is not None
    assert "gives 6 as the optimum of x, but under its own model (= x 6)" in not_attained.evidence
    assert "gives 5 as the optimum of x, but there is something better" in not_best.evidence
    for finding in (not_attained, not_best):
        assert finding.request is not None
        assert finding.request.script.count("imize") == 1


def test_options_of_the_script_are_kept_but_for_the_priority() -> None:
    lab = liars.lab_of(solver=Optimiser(gives("6"), "unsat", both("6", "2")))
    found(f"(set-option :smt.arith.solver 2){BOX}", Optimiser(gives()), lab)
    asked = [script for _solver, script in lab.asked if "(get-objectives)" in script][1:]
    assert [script.count("(set-option :opt.priority box)") for script in asked] == [0, 1]
    assert all("(set-option :smt.arith.solver 2)" in script for script in asked)


def test_points_after_the_end_of_a_front_do_not_count() -> None:
    """z3 begins again after unsat."""
    printed = points("6 3", "2 7").stdout + "sat\n(objectives\n (x 6)\n (y 2)\n)\n"
    again = Answer((Verdict.SAT, Verdict.SAT, Verdict.UNSAT, Verdict.SAT), FINISHED, stdout=printed)
    assert found(PARETO, Optimiser(gives("6"), "unsat", again)) is None


@pytest.mark.parametrize(
    "replies",
    [
        liars.says(gives("3", x=2)),  # wrong about the probe
        liars.says(gives("2", verdict="unknown")),
        liars.says(liars.sat(liars.GOOD_MODEL)),
        liars.says(liars.REJECTED),
    ],
)
def test_a_solver_that_does_not_optimise_is_not_asked(replies: object) -> None:
    lab = FakeLab({"solver": replies})  # type: ignore[dict-item]
    assert found(MAXIMUM, Optimiser(gives()), lab) is None
    assert len(lab.asked) == 1


@pytest.mark.parametrize(
    ("verdict", "count"), [("sat", True), ("unsat", False), ("unknown", False), ("sat\nsat", False)]
)
def test_objectives_are_added_only_to_what_is_sat(verdict: str, *, count: bool) -> None:
    """A script without objectives of its own gets some, for a solver that answers sat to it."""
    text = "(declare-const x Int)(assert (< (+ x 1) 7))(check-sat)"
    optimiser = Optimiser(gives("5", x=5))

    def replies(script: str) -> Reply:
        answer = Answer(tuple(map(Verdict, verdict.split())), FINISHED)
        return answer if script == text else optimiser(script)

    lab = liars.lab_of(solver=replies)
    found(text, optimiser, lab)
    assert any("(get-objectives)" in script for _solver, script in lab.asked) is count


@pytest.mark.parametrize(
    "text", ["(maximize", f"(frobnicate 1){MAXIMUM}", "(declare-const x Int)(maximize x)"]
)
def test_what_cannot_be_read_or_is_not_checked_is_not_asked_about(text: str) -> None:
    lab = liars.lab_of(solver=Optimiser(gives("5")))
    assert found(text, Optimiser(gives()), lab) is None
    assert assess_optimum(liars.case_of(text), "solver", lab) is None
    assert lab.asked == []


@pytest.mark.parametrize(
    ("text", "single", "plain", "holds", "reason"),
    [
        (
            MAXIMUM,
            gives("6", x=6),
            "unsat",
            None,
            "its model attains 6; solver answers unsat to anything bet",
        ),
        (MAXIMUM, gives("6", x=6), "unknown", None, "its model attains 6; no solver says more; that is no"),
        (MAXIMUM, gives("6"), "unsat", None, "it gives 6, and no plain number with a model"),
        (
            CHOSEN,
            replace(gives("6"), model=CHOICE),
            "unsat",
            None,
            "its model attains 6; solver answers unsat",
        ),
        (MAXIMUM, gives("(+ 6 epsilon)", x=6), "unsat", None, "it gives (+ 6 epsilon), and no plain number"),
        (MAXIMUM, gives("6", x=9), "unsat", None, "it is not known whether its model attains 6"),
        (MAXIMUM, gives("6", x=5), "unsat", False, "gives 6 as the optimum of x, but under its own model"),
        (
            "(declare-const x (_ BitVec 3))(assert (bvult x #b101))(maximize x)(check-sat)",
            Answer(
                (Verdict.SAT,), FINISHED, "((define-fun x () (_ BitVec 3) #b100))", stdout=gives("4").stdout
            ),
            "unknown",
            True,
            "its model attains 4, and nothing is better: There are 8 assignments",
        ),
        (
            "(declare-const x (_ BitVec 3))(maximize x)(check-sat)",
            Answer(
                (Verdict.SAT,), FINISHED, "((define-fun x () (_ BitVec 3) #b111))", stdout=gives("300").stdout
            ),
            "unknown",
            None,
            "it gives 300, and falsum cannot put that as a script: ",
        ),
        # Of two objectives the first one is asked for alone.
        (TWO, gives("6", x=6), "unknown", None, "it is not known whether its model attains 6"),
    ],
)
def test_the_word_on_an_optimum(
    text: str, single: Answer, plain: str, holds: bool | None, reason: str
) -> None:
    lab = liars.lab_of(solver=Optimiser(single, plain))
    word = assess_optimum(liars.case_of(text), "solver", lab)
    assert word is not None
    assert word.holds is holds
    assert word.reason.startswith(reason)
    assert word.reason.endswith("this is known of the first of 2 objectives, x, no more") == (text == TWO)
    assert all(script.count("(get-objectives)") < 2 for _solver, script in lab.asked)


def test_the_word_of_another_solver_is_no_proof() -> None:
    """It answers sat to something better, without a model."""
    lab = liars.lab_of(solver=Optimiser(gives("5", x=5)), other=liars.says("sat"))
    word = assess_optimum(liars.case_of(MAXIMUM), "solver", lab)
    assert word is not None
    assert word.holds is None
    assert "other answers sat" in word.reason


@pytest.mark.parametrize("single", [gives("6", verdict="unknown"), gives(), gives("6", "6"), TWICE])
def test_without_an_optimum_there_is_no_word_on_it(single: Answer) -> None:
    lab = liars.lab_of(solver=Optimiser(single))
    assert assess_optimum(liars.case_of(MAXIMUM), "solver", lab) is None
    assert assess_optimum(liars.case_of(liars.POSITIVE), "solver", lab) is None
