"""Triage: a finding is judged, made small, examined and kept; killed, it goes on; in spare time, bounded."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.campaign.places import SEED, liar

from falsum.campaign.triage import result
from falsum.campaign.triage.job import Job, pending
from falsum.campaign.triage.reduction import may_replace
from falsum.campaign.triage.smaller_instance import BOUNDS, smaller_instance
from falsum.campaign.triage.steps import triage
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.kinds.wrong_verdict.wrong_verdict import Manner
from falsum.defects.targets.target import Target
from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.limits import Limits
from falsum.store import finding_folder
from falsum.store.records import ExchangeRecord, FindingRecord
from falsum.strategies.mutant import Seed
from falsum.strategies.storm import Storm

SCRIPT = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (> (abs x) 3) (< (+ x y) 100)))
(assert (or (= y 4) (distinct x y)))
(check-sat)
"""
LIAR = liar("verdict")
JOB = Job("", ("z3",), timeout=10.0, seconds=30.0, bisects=False)


def record(kind: str, suspect: str, script: str = SCRIPT, **more: object) -> FindingRecord:
    answer = {"verdicts": ["sat"], "ending": "finished", "cause": "", "detail": "", "seconds": 0.1}
    exchange = ExchangeRecord(suspect, "", (), script, "verdict", True, answer, "sat\n", "")
    finding = FindingRecord(
        kind, "", (suspect,), f"{kind} | {suspect} | {hash(script)}", "said otherwise", "typefuzz", "1", 1, 1,
        "verdict", script, (("seed.smt2", SCRIPT),), (), None, "", None, (exchange,),
    )  # fmt: skip
    return msgspec.structs.replace(finding, **more)


def kept(parent: Path, finding: FindingRecord) -> Path:
    return finding_folder.write(parent, finding)


def job(folder: Path, **more: object) -> Job:
    """A job of the user who has found it, and has named the solvers of the finding."""
    made = msgspec.structs.replace(JOB, folder=str(folder), **more)
    found = finding_folder.read(folder)
    own = (*found.suspects, *(exchange.solver for exchange in found.exchanges))
    return msgspec.structs.replace(made, solvers=(*made.solvers, *own))


def test_a_wrong_answer_is_judged_and_made_small(tmp_path: Path) -> None:
    folder = kept(tmp_path, record("disagreement", LIAR))
    triaged = triage(job(folder))
    assert triaged.judgement.defect == Defect.REFUTATION_UNSOUNDNESS
    assert triaged.judgement.suspects == (LIAR,)
    assert triaged.judgement.truth is Verdict.SAT
    assert triaged.target == Target(Defect.REFUTATION_UNSOUNDNESS, "disagreement", truth=Verdict.SAT).on(
        triaged.script
    )
    assert triaged.reduction is not None
    assert triaged.reduction.is_confirmed
    assert "model" in triaged.reduction.manner
    assert "abs" in triaged.script
    assert len(triaged.script) < 60
    assert triaged.cold.always
    assert {file.name for file in folder.iterdir()} >= {"reduced.smt2", "judgement.json", "triage.json"}
    assert result.read(folder) == triaged
    assert pending([folder]) == []
    # Everything is there: nothing is asked again.
    assert triage(job(folder, solvers=("no such solver",))) == triaged


def test_findings_of_storm_become_smaller_instances_first(tmp_path: Path) -> None:
    """STORM's minimisation by bounds: fewer assertions and connectives, true by construction."""
    large = next(
        one
        for one in Storm(unsat=0.0, incremental=0.0, tactics=0.0).mutants(
            [Seed("s", SCRIPT)], Random(1), None
        )
        if "abs" in one.text and len(one.text) > 3000
    )
    found = record("disagreement", LIAR, large.text)
    for strategy, passes in (("storm:unsat=0", {BOUNDS}), ("typefuzz", set())):
        given = msgspec.structs.replace(found, strategy=strategy, signature=strategy)
        triaged = triage(job(kept(tmp_path / strategy[:3], given)))
        assert triaged.reduction is not None
        assert {one.name for one in triaged.reduction.passes if one.name == BOUNDS} == passes
        assert triaged.reduction.length_before == len(large.text)
        assert triaged.judgement.defect == Defect.REFUTATION_UNSOUNDNESS
        assert len(triaged.script) < 60


def test_the_search_for_smaller_instances_keeps_to_its_time() -> None:
    found = msgspec.structs.replace(record("disagreement", LIAR), strategy="storm")
    assert smaller_instance(found, SCRIPT, lambda _: True, (), Limits(), 0) == (SCRIPT, 0, False)


def test_a_crash_stays_the_same_crash(tmp_path: Path) -> None:
    suspect = liar("crash")
    triaged = triage(job(kept(tmp_path, record("crash", suspect)), solvers=()))
    assert triaged.judgement.defect == Defect.CRASH
    assert triaged.target is not None
    assert triaged.target.defect == Defect.CRASH
    assert "abs" in triaged.script
    assert triaged.reduction is not None
    assert triaged.reduction.manner == ""


TWO_CHECKS = (
    "(declare-const x Int)(declare-const y Int)(assert (> x 5))(check-sat)(push 1)(assert (> y x))(check-sat)"
    "(pop 1)(check-sat)"
)


def test_an_invalid_model_of_an_earlier_check_is_reduced_and_may_become_a_wrong_sat(tmp_path: Path) -> None:
    """x = 7, y = 3 is wrong at the second check alone; what is left of the script may be unsat."""
    program = tmp_path / "liar"
    program.write_text(
        "#!/bin/sh\ngrep -o '(check-sat)' \"$1\" | sed 's/.*/sat/'\n"
        "echo '((define-fun x () Int 7) (define-fun y () Int 3))'\n"
    )
    program.chmod(0o755)
    found = record("model", str(program), TWO_CHECKS, want="model")
    triaged = triage(job(kept(tmp_path / "findings", found)))
    assert triaged.reduction is not None
    assert triaged.remarks == ()
    assert triaged.script.count("(check-sat)") == 1
    assert triaged.judgement.suspects == (str(program),)
    assert triaged.judgement.defect == Defect.SOLUTION_UNSOUNDNESS
    assert len(triaged.script) < 40


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (Defect.CRASH, Defect.CRASH, True),
        (Defect.UNDECIDED, Defect.CRASH, True),
        (Defect.INVALID_MODEL, Defect.SOLUTION_UNSOUNDNESS, True),
        (Defect.SOLUTION_UNSOUNDNESS, Defect.INVALID_MODEL, False),
        (Defect.CRASH, Defect.UNDECIDED, False),
        (Defect.INVALID_MODEL, Defect.REFUTATION_UNSOUNDNESS, False),
    ],
)
def test_the_reduced_script_shows_the_same(before: Defect, after: Defect, *, same: bool) -> None:
    one, other = Judgement(before, ("a", "b"), None, ()), Judgement(after, ("b",), None, ())
    assert may_replace(other, one) is same
    stranger = Judgement(after, ("c",), None, ())
    assert may_replace(stranger, one) is (same and before != Defect.INVALID_MODEL)


def test_a_leak_without_a_history_is_kept_as_it_is(tmp_path: Path) -> None:
    triaged = triage(job(kept(tmp_path, record("leak", "z3")), solvers=()))
    assert (triaged.judgement.defect, triaged.script, triaged.reduction) == (Defect.STATE_LEAK, SCRIPT, None)
    assert triaged.product == "z3"


def test_what_is_known_is_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the list of known findings, and by what is already triaged in the same store."""
    monkeypatch.chdir(tmp_path)
    suspect = liar("crash")
    store = tmp_path / "findings"
    first, second = (kept(store, record("crash", suspect, SCRIPT.replace("100", n))) for n in ("7", "8"))
    assert triage(job(first, solvers=())).known == ""
    again = triage(job(second, solvers=()))
    assert again.known == f"known: the finding {first.name} here"
    # The first one is not the same as the second just because it is triaged once more.
    (first / result.TRIAGE).unlink()
    assert triage(job(first, solvers=())).known == ""
    Path("known.toml").write_text('[[finding]]\npattern = "^crash"\nurl = "https://example.org/1"\n')
    (second / result.TRIAGE).unlink()
    assert triage(job(second, solvers=())).known == "known: https://example.org/1"


def test_a_witness_is_enough(tmp_path: Path) -> None:
    """Nobody else is asked: the claim's witness shows at every step that sat is right."""
    witness = "((define-fun x () Int 9) (define-fun y () Int 4))"
    made_of = record("claim", LIAR, claim=("sat",), witness=witness)
    triaged = triage(job(kept(tmp_path, made_of), solvers=()))
    assert triaged.judgement.defect == Defect.REFUTATION_UNSOUNDNESS
    assert triaged.reduction is not None
    assert triaged.reduction.manner == Manner.WITNESS
    assert "abs" in triaged.script


def test_a_suspect_that_is_gone_is_said(tmp_path: Path) -> None:
    folder = kept(tmp_path, record("disagreement", "/no/such/solver"))
    with pytest.raises(SurroundingsError):
        triage(job(folder))
    assert pending([folder]) == [folder]


def test_it_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    """Whatever is whole is taken over; scraps and half-written files are not."""
    folder = kept(tmp_path, record("disagreement", LIAR))
    triaged = triage(job(folder))
    (folder / result.TRIAGE).unlink()
    (folder / result.JUDGEMENT).write_text("{")
    (folder / ".new-scrap").write_text("half")
    again = triage(job(folder))
    assert again.reduction == triaged.reduction
    assert again.script == triaged.script


def test_results_are_replaced_after_success_only(tmp_path: Path) -> None:
    """A triage that failed took the report of the one before with it."""
    folder = kept(tmp_path, record("disagreement", LIAR))
    triaged = triage(job(folder))
    (folder / result.LEAK).mkdir()
    fresh = result.afresh(folder)
    assert {path.name for path in fresh.iterdir()}.isdisjoint({*result.ALL, result.LEAK, result.AGAIN})
    assert not result.adopt(folder)
    assert result.read(folder) == triaged
    assert (folder / result.LEAK).exists()
    assert not fresh.exists()
    other = triage(job(result.afresh(folder)))
    assert result.adopt(folder)
    assert result.read(folder) == other
    assert not (folder / result.LEAK).exists()
    assert (folder / result.REDUCED).exists()


def test_a_program_of_no_known_product(tmp_path: Path) -> None:
    """It once died of `KeyError: 'generic'`, looking for other releases of it."""
    program = tmp_path / "my-solver"
    lies = f'exec {LIAR} "$@"'
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "MySolver 1.2 (abc123)" && exit\n{lies}\n')
    program.chmod(0o755)
    folder = kept(tmp_path, record("disagreement", str(program)))
    assert folder.name.startswith("disagreement-my-solver-")
    triaged = triage(job(folder, bisects=True))
    assert triaged.judgement.suspects == (str(program),)
    assert (triaged.bisection, triaged.origin, triaged.command) == (None, "file", (str(program), "bug.smt2"))
    assert triaged.build.startswith(f"MySolver 1.2 (abc123); SHA-256 of {program}: ")


def test_replay_asks_the_reduced_script_and_says_whether_the_bug_shows(tmp_path: Path) -> None:
    program = tmp_path / "my-solver"
    program.write_text(f'#!/bin/sh\nexec {LIAR} "$@"\n')
    program.chmod(0o755)
    folder = kept(tmp_path, record("disagreement", str(program)))
    triage(job(folder))

    def replay(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [folder / "replay.sh", *arguments], capture_output=True, text=True, check=False, timeout=60
        )
        return done.returncode, done.stdout

    code, said = replay()
    assert (code, said.splitlines()[-1]) == (1, "the bug shows")
    assert replay("--fixed")[0] == 0
    program.write_text("#!/bin/sh\necho sat\n")
    code, said = replay()
    assert (code, said.splitlines()[-1]) == (0, "the bug is gone")
    assert replay("--fixed")[0] == 1
    program.unlink()
    assert replay()[0] == 125


REFERRING = SEED.replace("5", "(- (abs 7) 2)")


@pytest.mark.parametrize(("script", "reference"), [(REFERRING, SEED), (SEED, REFERRING)])
def test_the_wrong_one_of_the_two_is_reported(tmp_path: Path, script: str, reference: str) -> None:
    found = record("reference", LIAR, script, reference=reference)
    triaged = triage(job(kept(tmp_path, found), solvers=()))
    assert triaged.judgement.defect == Defect.REFUTATION_UNSOUNDNESS
    assert triaged.judgement.suspects == (LIAR,)
    assert triaged.judgement.evidence[0].kind == "witness"
    assert "abs" in triaged.script


def test_without_a_model_nobody_knows_which_answer_is_wrong(tmp_path: Path) -> None:
    always = SEED.replace("(> (+ x 1) 5)", "(or (> x 5) (not (> x 5)))")
    wrong = always.replace("(> x 5)", "(> x (abs 5))")
    script = tmp_path / "no-models.sh"
    script.write_text('case $(cat "$1") in *abs*) echo unsat;; *) echo sat;; esac\n')
    solver = f"/bin/sh {script}"
    found = record("reference", solver, wrong, reference=always, evidence="they must agree")
    triaged = triage(job(kept(tmp_path / "findings", found), solvers=()))
    assert triaged.judgement.defect == Defect.UNDECIDED
    assert triaged.judgement.suspects == (solver,)
    assert triaged.judgement.evidence[0].text == "they must agree"


def test_what_is_given_up_has_a_target_for_other_releases(tmp_path: Path) -> None:
    program = tmp_path / "shy"
    program.write_text(
        "#!/bin/sh\nfor last; do :; done\n"
        'case $last in *.smt2) case $(cat "$last") in *bvand*) echo unknown ;; *) echo sat ;; esac ;; esac\n'
    )
    program.chmod(0o755)
    decided = (
        "(set-logic QF_BV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))"
        "(assert (bvult x y))(assert (= (bvand x #x01) #x01))(check-sat)"
    )
    found = record("incompleteness", f"z3={program}", decided)
    triaged = triage(job(kept(tmp_path / "findings", found), solvers=("cvc5",)))
    assert triaged.target == Target(Defect.INCOMPLETENESS, "incompleteness").on(triaged.script)
    assert triaged.judgement.defect == Defect.INCOMPLETENESS
    assert triaged.judgement.suspects == (f"z3={program}",)
    assert "bvand" in triaged.script
