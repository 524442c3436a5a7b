"""Every oracle is silent on an honest lab and speaks on its own planted liar."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.defects import liars

from falsum.defects import ALL, Oracle, needs_history, oracle_named
from falsum.defects.case import Case
from falsum.defects.confirmation import examine
from falsum.defects.finding import FLAKY
from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import SubsetLab

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
                liar=liars.on_two(Answer((Verdict.UNSAT,), FINISHED, printed=("(falsum!a1)",))),
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
        "limits": (liars.case_of(liars.POSITIVE), liars.lab_of(z3=liars.breaks_limits)),
        "invariant": (
            liars.case_of(liars.CLAUSES),
            liars.lab_of(
                good=liars.honest, liar=liars.says(liars.sat("((define-fun p ((x Int)) Bool true))"))
            ),
        ),
        "drawn": (plain, liars.lab_of(liar=liars.says(UNSAT))),
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
    assert finding.needs_history is oracle.needs_history


def test_oracles_look_at_the_share_of_mutants_that_the_docs_say() -> None:
    text = (Path(__file__).parents[2] / "docs" / "oracles.md").read_text(encoding="utf-8")
    table = text.partition("| oracle | one mutant in |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| ([`\w, ]+) \| (\d+)", table, re.MULTILINE)
    documented = {name: int(share) for names, share in rows for name in re.findall(r"\w+", names)}
    assert documented
    assert {oracle.name: oracle.every for oracle in ALL if oracle.every > 1} == documented


def optimises_modestly(script: str) -> Reply:
    """Gives 3 as every optimum, without a model, and does not know whether there is something better."""
    is_asked = "get-objectives" in script or script == liars.POSITIVE
    return replace(liars.optimises_badly(script), model=None) if is_asked else "unknown"


# Cases and labs in which the last solver lies, and only answers of the others show that.
SHOWN_BY_OTHERS: dict[str, tuple[Case, Lab]] = {
    "disagreement": (liars.case_of(), liars.lab_of(good=liars.honest, liar=liars.says(UNSAT))),
    "incompleteness": (liars.case_of(), liars.lab_of(cvc5=liars.honest, z3=liars.says("unknown"))),
    "slow": (
        liars.case_of(),
        FakeLab({"z3@4.8": liars.honest, "z3": liars.says(replace(liars.sat(), cpu=6.0))}),
    ),
    "core": (
        liars.case_of(liars.TWO),
        liars.lab_of(good=liars.on_two(liars.TIMED_OUT), liar=liars.says(replace(UNSAT, core="(falsum!1)"))),
    ),
    "assumptions": (
        liars.case_of(liars.TWO),
        liars.lab_of(
            good=liars.on_two(liars.TIMED_OUT),
            liar=liars.says(replace(UNSAT, printed=("(falsum!a1)",))),
        ),
    ),
    "invariant": (
        liars.case_of(liars.SQUARES),
        FakeLab(
            {
                "cvc5": lambda text: "unknown" if text == liars.SQUARES else "sat",
                "z3": lambda text: liars.sat(liars.BAD_SQUARES) if text == liars.SQUARES else "sat",
            }
        ),
    ),
    "optimum": (liars.case_of(), liars.lab_of(good=liars.says("sat"), liar=optimises_modestly)),
}


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
def test_who_compares_solvers_needs_all_of_them(oracle: Oracle) -> None:
    """The others get one solver at a time."""
    assert oracle.compares_solvers is (oracle.name in SHOWN_BY_OTHERS)
    case, lab = SHOWN_BY_OTHERS.get(oracle.name) or planted(oracle)
    alone = SubsetLab(lab, lab.solvers[-1:])
    assert oracle.find(case, lab) is not None
    assert (oracle.find(case, alone) is None) is oracle.compares_solvers


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
@pytest.mark.parametrize("text", [liars.POSITIVE, liars.IMPOSSIBLE])
def test_silent_on_an_honest_lab(oracle: Oracle, text: str) -> None:
    truth = Verdict.SAT if text == liars.POSITIVE else Verdict.UNSAT
    case = liars.case_of(text, claim=truth, reference=text)
    assert oracle.find(case, liars.lab_of(one=liars.honest, other=liars.honest)) is None


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
@pytest.mark.parametrize("reply", ["unknown", liars.TIMED_OUT, liars.REJECTED])
@pytest.mark.parametrize("text", [liars.POSITIVE, liars.IMPOSSIBLE])
def test_not_knowing_is_never_wrong(oracle: Oracle, reply: str | Answer, text: str) -> None:
    """Neither to the mutant nor, for `reference`, to the script that the mutant must agree with."""
    truth = Verdict.SAT if text == liars.POSITIVE else Verdict.UNSAT
    reference = liars.AGREEING[text]
    case = liars.case_of(text, claim=truth, reference=reference)
    for unsure in (liars.says(reply), liars.honest_but(text, reply), liars.honest_but(reference, reply)):
        assert oracle.find(case, liars.lab_of(good=liars.honest, other=unsure)) is None


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: oracle.name)
def test_nobody_to_ask(oracle: Oracle) -> None:
    assert oracle.find(liars.case_of(claim=Verdict.SAT), liars.lab_of()) is None


@pytest.mark.parametrize("name", ["core", "assumptions", "optimum", "proof", "law"])
@pytest.mark.parametrize("text", [f"(frobnicate 1){liars.IMPOSSIBLE}", "(assert"])
def test_from_what_cannot_be_read_nothing_follows(name: str, text: str) -> None:
    lab = liars.lab_of(cvc5=liars.says(UNSAT), z3=liars.says(liars.sat()))
    assert oracle_named(name).find(liars.case_of(text), lab) is None
    assert lab.asked == []


@pytest.mark.parametrize(
    ("option", "blamed"), [("rewriter.hi_div0 false", False), ("smt.arith.solver 2", True)]
)
def test_models_are_not_evaluated_where_terms_mean_something_else(option: str, *, blamed: bool) -> None:
    text = f"(set-option :{option})(declare-const x Int)(assert (> x 0))(check-sat)"
    lab = liars.lab_of(z3=liars.says(liars.sat("((define-fun x () Int 0))")))
    assert (oracle_named("model").find(liars.case_of(text), lab) is not None) == blamed


def test_an_unknown_oracle_is_reported() -> None:
    with pytest.raises(UsageError, match=r"unknown oracle 'entrails'; .*--plugin"):
        oracle_named("entrails")
    assert not needs_history(FLAKY)
    assert needs_history("leak")
