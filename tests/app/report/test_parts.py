"""The parts of a report, in the words of maintainers."""

from __future__ import annotations

import msgspec
import pytest
from tests.app.report.example import RECORD, TARGET, TRIAGE, parts

from falsum.app.report.parts import ReportParts, release_table
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.releases import ReleaseRow
from falsum.campaign.triage.result import EvidenceRecord, JudgementRecord, OptionRecord, Reproduced
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.text.script_modes import MODES
from falsum.store.states import FindingLife, FindingState, StateChange

CRASH = Target(Defect.CRASH, message="assertion: ast.cpp failed")


def test_a_crash() -> None:
    judged = JudgementRecord(Defect.CRASH, ("z3@4.8.6",), None, ())
    crashed = parts(target=CRASH, judgement=judged, output="ASSERTION VIOLATION\n```")
    assert crashed.title == "Crash on an arithmetic formula with div: assertion: ast.cpp failed"
    assert crashed.actual == "Crash:\n\n````text\nASSERTION VIOLATION\n```\n````"
    assert crashed.expected == "z3 should not crash."
    assert parts(target=CRASH, judgement=judged, output="").actual == "Crash, without any output."


def test_a_wrong_verdict() -> None:
    assert parts().title == "Refutation unsoundness: unsat for a satisfiable arithmetic formula with div"
    assert parts().expected == "`sat`. The script is satisfiable."
    later = msgspec.structs.replace(TRIAGE.judgement, check=1)
    said = "`sat` at check-sat number 2. The script is satisfiable there."
    assert parts(judgement=later).expected == said


def test_an_invalid_model() -> None:
    judged = JudgementRecord(Defect.INVALID_MODEL, ("z3@4.8.6",), None, ())
    wrong = parts(target=Target(Defect.INVALID_MODEL), judgement=judged, output="sat\n(model)")
    assert wrong.expected == "A model that satisfies every assertion."
    assert wrong.actual.startswith(
        "`sat`, but the model it prints does not satisfy the script:\n\n```text\nsat"
    )


def test_a_release_without_a_package_is_said_to_be_untested() -> None:
    words = "yices 2.7.0 has no package in the index and was not tested."
    assert words in parts(product="yices").releases
    assert "no package" not in parts().releases


def test_a_reported_finding_is_known_upstream() -> None:
    url = "https://example.org/1"
    life = FindingLife((StateChange(FindingState.REPORTED, 0.0, url=url),))
    assert ReportParts(RECORD, TRIAGE, life).known_upstream == f"Reported: {url}."


def test_nobody_knows_who_is_right() -> None:
    open_ = msgspec.structs.replace(TRIAGE.judgement, defect=Defect.UNDECIDED, truth=None)
    assert parts(judgement=open_).expected == "Not known: the solvers contradict each other."


def test_a_crash_that_triage_did_not_see_is_still_a_crash() -> None:
    record = msgspec.structs.replace(RECORD, kind="crash")
    judged = msgspec.structs.replace(TRIAGE.judgement, defect=Defect.UNDECIDED, truth=None, suspects=())
    lost = ReportParts(record, msgspec.structs.replace(TRIAGE, judgement=judged, target=None))
    assert lost.title == "Crash that was not seen again, on an arithmetic formula with div"
    assert lost.expected == "z3 should not crash. Triage could not reproduce the crash."


def test_a_state_leak_expects_the_answer_of_a_fresh_process() -> None:
    leak = msgspec.structs.replace(TRIAGE.judgement, defect=Defect.STATE_LEAK, truth=None)
    assert parts(judgement=leak, target=None).expected.startswith("The answer of a fresh process")


def test_a_state_leak_says_what_was_asked_before() -> None:
    leak = parts(target=None, history=("(check-sat)", "(check-sat)", "(check-sat)"))
    assert leak.actual.endswith(
        "The same process had answered 2 scripts before: the script below contains them."
    )
    record = msgspec.structs.replace(RECORD, history=("(check-sat)", "(check-sat)"))
    kept = ReportParts(record, msgspec.structs.replace(TRIAGE, target=None))
    assert kept.actual.endswith("The same process had answered one script before: see `history/`.")


def test_the_title_names_the_theories() -> None:
    several = "(declare-const a (Array Int (Set Int)))(assert (= 3 (+ 1 (set.card (select a 0)))))"
    about = "unsat for a satisfiable arithmetic, array and set formula with set.card"
    assert parts(script=several).title == f"Refutation unsoundness: {about}"


@pytest.mark.parametrize(
    ("assertion", "about"),
    [
        ("(= (+ x 1) (div (- x) 3))", "arithmetic formula with div"),
        ("(< (+ x 1) 3)", "arithmetic formula with + and <"),
        ("(= (mod x 2) (div x 3) (abs x))", "arithmetic formula with abs and div"),
        ('(= "a" (str.replace_all "b" "c" (str.++ "d" "e")))', "string formula with str.replace_all"),
        ("(forall ((y Int)) (= y (abs y)))", "arithmetic and quantified formula with abs"),
        ("(= x 1)", "arithmetic formula"),
        ("(or (xor p false) true)", "Boolean formula with xor"),
    ],
)
def test_the_title_names_the_operators_that_matter(assertion: str, about: str) -> None:
    title = parts(script=f"(declare-const x Int)(declare-const p Bool)(assert {assertion})").title
    assert title == f"Refutation unsoundness: unsat for a satisfiable {about}"


def test_options_and_releases() -> None:
    assert parts(options=()).options == "Default options."
    idle = OptionRecord("smt.threads=2", is_needed=False, without="unsat")
    assert parts(options=(idle,)).options == "Default options (`smt.threads=2` makes no difference)."
    assert parts(bisection=None).releases == "Other releases were not tested."
    assert parts(other_seeds=Reproduced(0, 0)).reproducibility == "Reproduced in 3 of 3 fresh processes."
    assert parts(cold=Reproduced(0, 0)).reproducibility == "Not reproduced in fresh processes."
    needed = OptionRecord("script=again", is_needed=True, without="sat")
    assert parts(options=(needed,)).options == (
        "Needed: the script once before, and `(reset-assertions)`. Without it the answer is `sat`."
    )
    assert " after `(reset-assertions)`" in parts(options=(needed,)).title
    assert "reset" not in parts(options=()).title


def test_every_way_of_asking_has_words_for_titles() -> None:
    for mode in MODES:
        needed = OptionRecord(f"script={mode}", is_needed=True, without="sat")
        assert parts(options=(needed,)).title != parts(options=()).title


def test_long_proofs_are_left_out() -> None:
    proof = EvidenceRecord("proof", "There is a proof.", "(step)\n" * 100)
    judged = msgspec.structs.replace(TRIAGE.judgement, evidence=(proof,))
    assert parts(judgement=judged).evidence == "There is a proof."


def test_the_table_of_releases_cannot_be_broken_by_messages() -> None:
    rows = (ReleaseRow("1", Standing.CRASHES, "a | b `c`"),)
    assert f"| 1 | {Standing.CRASHES} | `a \\| b 'c'` |" in release_table(Bisection("z3", TARGET, rows))


def test_a_build_identifies_itself_and_was_not_installed_by_pip() -> None:
    """The report once said "generic , binary", or named a pip install that never was."""
    own = {
        "release": "",
        "build": "MySolver 1.2; SHA-256 of my-solver: 12…",
        "origin": "file",
        "is_library": False,
    }
    unknown = parts(product="generic", command=("/opt/my-solver", "bug.smt2"), **own)
    said = "my-solver, binary, which identifies itself as: MySolver 1.2; SHA-256 of my-solver: 12…"
    assert (unknown.version, unknown.installation) == (said, "built by the reporter")
    built = parts(product="z3", command=("z3", "bug.smt2"), **own)
    assert built.version.startswith("z3, binary, which identifies itself as: MySolver 1.2")
    assert built.installation == "built by the reporter"
    assert parts(product="z3", origin="path").installation == "the program on PATH"
    assert parts(product="z3", origin="zoo").installation.startswith("`pip install z3-solver==")
