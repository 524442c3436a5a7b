"""Every oracle is silent on an honest lab and speaks on its own planted liar."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.oracles import liars

from falsum.errors import UsageError
from falsum.oracles import ALL, Oracle, needs_history, oracle_named
from falsum.oracles.case import Case
from falsum.oracles.confirmation import examine
from falsum.oracles.finding import FLAKY
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.lab import Lab

UNSAT = Answer((Verdict.UNSAT,), FINISHED)
CRASHED = Answer((), liars.CRASH)


def planted(oracle: Oracle) -> tuple[Case, Lab]:
    """A case and a lab in which `liar` lies in the one way this oracle is for."""
    plain = liars.case_of()
    cases: dict[str, tuple[Case, Lab]] = {
        "crash": (plain, liars.lab_of(good=liars.honest, liar=liars.says(CRASHED))),
        "claim": (
            liars.case_of(claim=Verdict.SAT, witness=liars.GOOD_MODEL),
            liars.lab_of(good=liars.honest, liar=liars.says(UNSAT)),
        ),
        "model": (plain, liars.lab_of(good=liars.honest, liar=liars.says(liars.sat(liars.BAD_MODEL)))),
        "disagreement": (plain, liars.lab_of(good=liars.honest, liar=liars.says(UNSAT))),
        "reference": (
            liars.case_of(reference=liars.IMPOSSIBLE),
            liars.lab_of(liar=lambda script: "unsat" if script == liars.IMPOSSIBLE else "sat"),
        ),
        "core": (
            liars.case_of(liars.TWO),
            liars.lab_of(
                good=liars.honest, liar=liars.on_two(Answer((Verdict.UNSAT,), FINISHED, core="(falsum!1)"))
            ),
        ),
        "assumptions": (
            liars.case_of(liars.TWO),
            liars.lab_of(
                good=liars.honest,
                liar=liars.on_two(Answer((Verdict.UNSAT,), FINISHED, stdout="unsat\n(falsum!a1)\n")),
            ),
        ),
        "optimum": (plain, liars.lab_of(good=liars.honest, liar=liars.optimises_badly)),
        "incompleteness": (plain, liars.lab_of(cvc5=liars.honest, z3=liars.says("unknown"))),
        "slow": (
            liars.case_of(reference=liars.AGREEING[liars.POSITIVE]),
            liars.lab_of(liar=liars.honest_but(liars.POSITIVE, replace(liars.sat(), cpu=6.0))),
        ),
        "proof": (
            liars.case_of(liars.IMPOSSIBLE),
            liars.lab_of(cvc5=lambda text: CRASHED if "get-proof" in text else UNSAT),
        ),
        "law": (liars.case_of(liars.SPLIT), liars.lab_of(liar=liars.breaks_laws)),
        "leak": (plain, liars.TwoFacedLab(UNSAT, [liars.sat()])),
    }
    return cases[oracle.name]


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
def test_speaks_on_its_liar_and_holds_it_cold(oracle: Oracle) -> None:
    case, lab = planted(oracle)
    finding = examine(oracle, case, lab)
    assert finding is not None
    assert finding.kind == oracle.name
    assert finding.suspects[-1] in {"liar", "solver", "z3", "cvc5"}
    assert finding.evidence
    assert finding.exchanges
    assert finding.signature.startswith(oracle.name)


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
@pytest.mark.parametrize("text", [liars.POSITIVE, liars.IMPOSSIBLE])
def test_silent_on_an_honest_lab(oracle: Oracle, text: str) -> None:
    truth = Verdict.SAT if text == liars.POSITIVE else Verdict.UNSAT
    case = liars.case_of(text, claim=truth, reference=text)
    assert oracle.judge(case, liars.lab_of(one=liars.honest, other=liars.honest)) is None


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
@pytest.mark.parametrize("reply", ["unknown", liars.TIMED_OUT, liars.REJECTED])
@pytest.mark.parametrize("text", [liars.POSITIVE, liars.IMPOSSIBLE])
def test_not_knowing_is_never_wrong(oracle: Oracle, reply: str | Answer, text: str) -> None:
    """Neither to the mutant nor, for `reference`, to the script that the mutant must agree with."""
    truth = Verdict.SAT if text == liars.POSITIVE else Verdict.UNSAT
    reference = liars.AGREEING[text]
    case = liars.case_of(text, claim=truth, reference=reference)
    for unsure in (liars.says(reply), liars.honest_but(text, reply), liars.honest_but(reference, reply)):
        assert oracle.judge(case, liars.lab_of(good=liars.honest, other=unsure)) is None


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
def test_nobody_to_ask(oracle: Oracle) -> None:
    assert oracle.judge(liars.case_of(claim=Verdict.SAT), liars.lab_of()) is None


def test_an_unknown_oracle_is_reported() -> None:
    with pytest.raises(UsageError, match=r"unknown oracle 'entrails'; .*--plugin"):
        oracle_named("entrails")
    assert not needs_history(FLAKY)
    assert needs_history("leak")
