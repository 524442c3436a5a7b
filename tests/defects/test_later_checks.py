"""Every oracle notices its liar at check 2 of 3, and only there; and what each needs to speak."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.defects import liars

from falsum.defects import ALL, Oracle
from falsum.defects.case import Case
from falsum.defects.confirmation import TIMES, confirmed, examine
from falsum.defects.finding import FLAKY, Finding
from falsum.defects.kinds.crash import CrashOracle
from falsum.defects.kinds.invalid_model import ModelOracle
from falsum.defects.kinds.state_leak import LeakOracle
from falsum.defects.kinds.state_leak import differ as leak_differ
from falsum.defects.kinds.wrong_core import CoreOracle
from falsum.defects.kinds.wrong_verdict.claim import BrokenClaimError, ClaimOracle
from falsum.defects.kinds.wrong_verdict.disagreement import DisagreementOracle
from falsum.defects.kinds.wrong_verdict.reference import ReferenceOracle
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim, Mutant

SAT, UNSAT, UNKNOWN = Verdict.SAT, Verdict.UNSAT, Verdict.UNKNOWN
THREE = (
    "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)"
    "(push 1)(assert (> x 5))(check-sat)(pop 1)(check-sat)"
)
OTHER = THREE.replace("(> x 0)", "(< 0 x)")
MODELS = {1: "((define-fun x () Int 1))", 2: "((define-fun x () Int 6))", 3: "((define-fun x () Int 1))"}


def honest(script: str) -> Answer:
    checks = script.count("(check-sat")
    return Answer((SAT,) * checks, FINISHED, model=MODELS.get(checks))


def lying(verdicts: tuple[Verdict, ...], script: str = THREE) -> Callable[[str], Answer]:
    """Honest but for the verdicts on one script."""
    return lambda text: Answer(verdicts, FINISHED) if text == script else honest(text)


def wrong_model(script: str) -> Answer:
    """Its model of the second check is wrong."""
    answer = honest(script)
    return answer if len(answer.verdicts) != 2 else Answer(answer.verdicts, FINISHED, model=MODELS[1])


def case(**more: object) -> Case:
    mutant = Mutant(THREE, more.get("claim"), more.get("reference"), ("test",))  # type: ignore[arg-type]
    return Case(mutant, (), Want.MODEL)


def gives_up(script: str) -> Answer:
    """Does not know the second check, whether it is the last or not."""
    checks = script.count("(check-sat")
    return Answer((SAT, UNKNOWN, SAT)[:checks], FINISHED)


LIE = (SAT, UNSAT, SAT)
CRASHED = Answer((SAT, SAT), liars.CRASH)
PLANTED: dict[str, tuple[Case, Lab]] = {
    "crash": (case(), liars.lab_of(good=honest, liar=lambda _script: CRASHED)),
    "claim": (case(claim=Claim((None, SAT, None))), liars.lab_of(good=honest, liar=lying(LIE))),
    "model": (case(), liars.lab_of(good=honest, liar=wrong_model)),
    "disagreement": (case(), liars.lab_of(good=honest, liar=lying(LIE))),
    "reference": (case(reference=OTHER), liars.lab_of(liar=lying(LIE))),
    "incompleteness": (case(), liars.lab_of(cvc5=honest, z3=gives_up)),
    "drawn": (case(), liars.lab_of(liar=lying(LIE))),
    "leak": (case(), liars.TwoFacedLab(Answer(LIE, FINISHED), [honest(THREE)])),
}


# Time is no matter of a check; what follows from an answer is asked about the last one, as is an invariant.
LATER = [
    each for each in ALL if (each.every == 1 and each.name not in ("slow", "invariant")) or each.needs_history
]


def test_every_oracle_has_a_later_liar() -> None:
    assert set(PLANTED) == {oracle.name for oracle in LATER}


@pytest.mark.parametrize("oracle", LATER, ids=lambda oracle: oracle.name)
def test_the_liar_of_the_second_check_is_found(oracle: Oracle) -> None:
    planted, lab = PLANTED[oracle.name]
    found = examine(oracle, planted, lab)
    assert found is not None
    assert found.kind == oracle.name
    assert found.suspects[-1] in {"liar", "solver", "z3"}
    if oracle.name in {"incompleteness", "claim", "model", "disagreement", "reference"}:
        assert "check 2" in found.evidence


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
@pytest.mark.parametrize("verdicts", [(SAT, UNKNOWN, SAT), (SAT, SAT), (SAT,), (), (UNKNOWN,) * 3])
def test_not_knowing_at_a_check_is_no_lie(oracle: Oracle, verdicts: tuple[Verdict, ...]) -> None:
    """*sat* against *unknown* is no contradiction, nor is an answer that ends early."""
    unsure = lying(verdicts)
    planted = case(claim=Claim((SAT, SAT, SAT)), reference=OTHER)
    assert oracle.find(planted, liars.lab_of(good=honest, unsure=unsure)) is None
    for one, other in ((UNSAT, UNKNOWN), (UNKNOWN, UNSAT)):
        lab = liars.lab_of(one=liars.says(str(one)), other=liars.says(str(other)))
        assert DisagreementOracle().find(liars.case_of(liars.IMPOSSIBLE), lab) is None


def test_a_claim_says_nothing_of_checks_it_leaves_out() -> None:
    lab = liars.lab_of(liar=lying(LIE))
    assert ClaimOracle().find(case(claim=Claim((SAT, None, SAT))), lab) is None
    assert ClaimOracle().find(case(claim=Claim((SAT,))), lab) is None


@pytest.mark.parametrize(
    ("witness", "reason"),
    [
        ("((define-fun x () Int 6))", "by construction, with a witness that satisfies every assertion"),
        ("", "by construction"),
        ("((define-fun x () Int (frob)))", "by construction; falsum cannot evaluate every assertion"),
    ],
)
def test_the_reason_of_a_claim_is_the_one_at_its_check(witness: str, reason: str) -> None:
    lab = liars.lab_of(liar=lying(LIE))
    finding = ClaimOracle().find(case(claim=Claim((None, SAT, None), witness)), lab)
    assert finding is not None
    assert finding.evidence.endswith(f"which is sat {reason}") or f"which is sat {reason}" in finding.evidence
    assert f"{UNSAT} for {SAT}" in finding.signature


def test_a_witness_that_satisfies_some_assertions_is_not_said_to_satisfy_all() -> None:
    text = "(declare-const x Int)(declare-const y Int)(assert (> x 0))(assert (> y 0))(check-sat)"
    witness = "((define-fun x () Int 1) (define-fun y () Int (frob)))"
    claim_oracle = ClaimOracle().find(
        liars.case_of(text, claim=SAT, witness=witness), liars.lab_of(liar=liars.says("unsat"))
    )
    assert claim_oracle is not None
    assert "falsum cannot evaluate every assertion" in claim_oracle.evidence


def test_a_witness_is_evaluated_at_the_check_of_the_contradiction() -> None:
    """x = 1 satisfies the first check and not the second."""
    lab = liars.lab_of(liar=lying(LIE))
    with pytest.raises(BrokenClaimError, match="assertion 2 false"):
        ClaimOracle().find(case(claim=Claim((None, SAT, None), MODELS[1])), lab)
    unsat = liars.case_of(liars.IMPOSSIBLE, claim=UNSAT, witness=liars.BAD_MODEL)
    assert ClaimOracle().find(unsat, liars.lab_of(liar=liars.says("sat"))) is not None


def test_a_claim_does_not_count_against_who_reads_strings_in_an_old_way() -> None:
    text = r'(declare-const s String)(assert (= (str.len "\x41") 4))(check-sat)'
    claimed = liars.case_of(text, claim=SAT, witness='((define-fun s () String ""))')
    assert ClaimOracle().find(claimed, liars.lab_of(old=liars.says("unsat"))) is None
    wrong = liars.lab_of(new=lambda script: "unsat" if script == text else "sat")
    assert ClaimOracle().find(claimed, wrong) is not None


@pytest.mark.parametrize("cause", [cause for cause in Cause if cause is not Cause.SELF_CHECK])
def test_any_cause_of_a_crash_is_one(cause: Cause) -> None:
    answer = Answer((), Ending(EndingKind.CRASHED, cause, "detail"))
    crash_oracle = CrashOracle().find(liars.case_of(), liars.lab_of(a=liars.honest, b=liars.says(answer)))
    assert crash_oracle is not None
    assert crash_oracle.suspects == ("b",)
    assert str(cause) in crash_oracle.signature
    rejected = Answer((), Ending(EndingKind.REJECTED, cause, "detail"))
    assert CrashOracle().find(liars.case_of(), liars.lab_of(b=liars.says(rejected))) is None


def test_who_stops_early_does_not_hide_what_others_say_later() -> None:
    lab = liars.lab_of(short=lying((SAT,)), a=honest, b=lying(LIE))
    finding = DisagreementOracle().find(case(), lab)
    assert finding is not None
    assert finding.evidence.startswith("check 2")


def test_two_sides_of_one_size_are_both_suspected() -> None:
    lab = liars.lab_of(b=lying(LIE), a=honest)
    finding = DisagreementOracle().find(case(), lab)
    assert finding is not None
    assert finding.suspects == ("a", "b")
    assert finding.evidence == "check 2: b: unsat; a: sat"
    assert "a:sat b:unsat" in finding.signature


def test_the_reference_is_compared_check_by_check() -> None:
    same = liars.lab_of(solver=lambda _text: Answer(LIE, FINISHED))
    assert ReferenceOracle().find(case(reference=OTHER), same) is None
    assert ReferenceOracle().find(case(), liars.lab_of(liar=lying(LIE))) is None
    finding = ReferenceOracle().find(case(reference=OTHER), liars.lab_of(a=honest, liar=lying(LIE)))
    assert finding is not None
    assert finding.suspects == ("liar",)
    assert "unsat after sat" in finding.signature
    assert "answers unsat to check 2 of the mutant and sat" in finding.evidence
    unsure = liars.lab_of(liar=lying((UNKNOWN, UNSAT, UNKNOWN)))
    assert ReferenceOracle().find(case(reference=OTHER), unsure) is not None


def test_a_model_of_an_unknown_is_no_model() -> None:
    unsure = Answer((SAT, UNKNOWN, UNKNOWN), FINISHED, model=MODELS[1].replace("1", "0"))
    assert ModelOracle().find(case(), liars.lab_of(solver=lambda _text: unsure)) is None
    crashed = Answer((SAT,), liars.CRASH, model=liars.BAD_MODEL)
    assert ModelOracle().find(liars.case_of(), liars.lab_of(solver=liars.says(crashed))) is None


def many(checks: int, bad: int) -> tuple[Case, Lab]:
    """A script of many checks, with a wrong model at one of them."""
    text = "(declare-const x Int)(assert (> x 0))" + "(check-sat)" * checks

    def solver(script: str) -> Answer:
        number = script.count("(check-sat)")
        model = liars.BAD_MODEL if number == bad else liars.GOOD_MODEL
        return Answer((SAT,) * number, FINISHED, model=model)

    return liars.case_of(text), liars.lab_of(solver=solver)


@pytest.mark.parametrize(
    ("checks", "bad", "noticed"),
    [(1, 1, True), (9, 1, True), (9, 6, True), (9, 7, False), (9, 8, False), (9, 9, True)],
)
def test_models_of_the_first_checks_and_of_the_last_are_looked_at(
    checks: int, bad: int, *, noticed: bool
) -> None:
    model_oracle = ModelOracle().find(*many(checks, bad))
    assert (model_oracle is not None) is noticed
    assert model_oracle is None or f"check {bad}," in model_oracle.evidence


# -- confirmation ----------------------------------------------------------------------------------


class TwoSolvers:
    """Warm, `a` is wrong; cold, the other one is."""

    solvers = ("a", "b")

    def __init__(self, cold: tuple[str, str]) -> None:
        self.cold = dict(zip(self.solvers, cold, strict=True))

    def ask(self, request: Request) -> Answer:
        warm = {"a": "crash", "b": "sat"}
        word = (self.cold if request.cold else warm)[request.solver]
        return Answer((), liars.CRASH) if word == "crash" else Answer((Verdict(word),), FINISHED)


def test_another_suspect_when_cold_is_another_finding() -> None:
    """The crash of b does not confirm that of a."""
    found = examine(CrashOracle(), liars.case_of(), TwoSolvers(("sat", "crash")))
    assert found is not None
    assert found.suspects == ("a",)
    assert (found.kind, found.needs_history) == ("crash", True)
    same = examine(CrashOracle(), liars.case_of(), TwoSolvers(("crash", "sat")))
    assert same is not None
    assert (same.kind, same.suspects) == ("crash", ("a",))


class Shifty(Oracle):
    """Finds something of another kind each time."""

    name = "crash"
    defect = CrashOracle.defect

    def __init__(self, kinds: list[str]) -> None:
        self.kinds = kinds

    def find(self, case: Case, lab: Lab) -> Finding | None:
        lab.ask(Request("solver", case.text, case.want))
        kind = self.kinds.pop(0)
        return Finding(kind, ("solver",), "s", "e", case) if kind else None


@pytest.mark.parametrize(
    ("again", "kind", "times"),
    [
        (["crash"] * 3, "crash", ""),
        (["crash", "crash", "model"], FLAKY, "2 of 3"),
        (["crash", "", "crash"], FLAKY, "2 of 3"),
        (["model"] * 3, "leak", ""),
        (["", "", ""], "leak", ""),
    ],
)
def test_a_finding_is_the_same_if_kind_and_suspects_are(again: list[str], kind: str, times: str) -> None:
    lab = liars.lab_of(solver=liars.honest)
    first = Finding("crash", ("solver",), "s", "e", liars.case_of())
    found = confirmed(Shifty(list(again)), first, lab)
    assert found is not None
    assert found.kind == kind
    assert times in found.evidence
    assert TIMES == 3


def test_only_what_every_fresh_process_contradicts_is_told_as_two_answers() -> None:
    """One of them does not know; so it is told as what the running process showed."""
    claimed = liars.case_of(claim=SAT)
    unsat, unsure = Answer((UNSAT,), FINISHED), Answer((UNKNOWN,), FINISHED)
    for cold, words in (
        ([liars.sat(), unsure, liars.sat()], "only in a running process: solver answers unsat to check 1"),
        ([liars.sat()], "solver: unsat when warm, sat when cold"),
    ):
        found = examine(ClaimOracle(), claimed, liars.TwoFacedLab(unsat, cold))
        assert found is not None
        assert (found.kind, found.needs_history) == ("leak", True)
        assert found.evidence.startswith(words)


class Wavering:
    """Warm it crashes; cold it answers in turn."""

    solvers = ("solver",)

    def __init__(self, *cold: Answer) -> None:
        self.cold = list(cold)

    def ask(self, request: Request) -> Answer:
        return self.cold.pop(0) if request.cold else Answer((), liars.CRASH)


def test_a_leak_needs_an_orderly_end_in_every_fresh_process() -> None:
    fine = liars.sat()
    found = examine(CrashOracle(), liars.case_of(), Wavering(fine, liars.TIMED_OUT, fine))
    assert found is not None
    assert (found.kind, found.needs_history) == (FLAKY, False)
    assert "reproduced in 0 of 3" in found.evidence
    found = examine(CrashOracle(), liars.case_of(), Wavering(fine, fine, fine))
    assert found is not None
    assert (found.kind, found.needs_history) == ("crash", True)


@pytest.mark.parametrize(
    ("warm", "cold", "differ"),
    [
        ("sat", "unsat", True),
        ("sat", "unknown", False),
        ("sat sat", "sat unsat", True),
        ("sat sat", "sat", False),
        ("sat", "sat", False),
    ],
)
def test_answers_of_warm_and_cold_processes(warm: str, cold: str, *, differ: bool) -> None:
    one, other = (Answer(tuple(map(Verdict, words.split())), FINISHED) for words in (warm, cold))
    leak_oracle = LeakOracle().find(liars.case_of(), liars.TwoFacedLab(one, [other]))
    assert (leak_oracle is not None) is differ
    assert leak_differ(one, other) is differ
    if leak_oracle is not None:
        assert (leak_oracle.kind, leak_oracle.needs_history, leak_oracle.suspects) == (
            "leak",
            True,
            ("solver",),
        )


def test_a_crash_differs_from_an_orderly_end_only() -> None:
    crashed = Answer((), liars.CRASH)
    for answer, differ in (
        (liars.sat(), True),
        (liars.REJECTED, True),
        (liars.TIMED_OUT, False),
        (crashed, False),
    ):
        assert leak_differ(crashed, answer) is differ
        assert leak_differ(answer, crashed) is differ


def test_who_answers_unsat_to_fewer_checks_has_named_no_core() -> None:
    """Its core is that of an earlier check."""
    text = liars.TWO + "(check-sat)"
    short = Answer((UNSAT,), FINISHED, core="(falsum!1)")
    whole = Answer((UNSAT, UNSAT), FINISHED, core="(falsum!1)")
    for answer, is_found in ((short, False), (whole, True)):
        lab = liars.lab_of(solver=liars.on_two(answer))
        assert (CoreOracle().find(liars.case_of(text), lab) is not None) is is_found


def test_both_sides_of_two_solvers_are_compared_at_open_points() -> None:
    """Only those who decide: a third one that does not know may choose what it likes."""
    text = "(declare-const x Int)(assert (= (div x 0) 1))(check-sat)"

    def wrong(script: str) -> str:
        return "unsat" if script == text else "sat"

    def other(script: str) -> str:
        return "unknown" if script == text else "unsat"

    lab = liars.lab_of(a=wrong, b=liars.says("sat"), c=other)
    disagreement_oracle = DisagreementOracle().find(liars.case_of(text), lab)
    assert disagreement_oracle is not None
    assert disagreement_oracle.suspects == ("a", "b")
