"""`falsum findings triage` and `export`: reports in the trackers' forms, checklists, regressions."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from tests.campaign.places import HONEST, liar

from falsum.app.commands import findings, fuzz
from falsum.app.report import checklist, files, trackers
from falsum.app.report.contents import Material, table
from falsum.campaign.triage import background
from falsum.campaign.triage import result as triaged
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.release_answers import Row
from falsum.campaign.triage.result import EvidenceRecord, JudgementRecord, OptionRecord, Shown, Triage
from falsum.campaign.triage.symptom import Kind, Standing, Symptom
from falsum.errors import UsageError
from falsum.oracles.judge.judgement import Defect
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.store import finding_folder
from falsum.store.records import BatchRecord, FindingRecord
from falsum.store.store import FINDINGS, Store

SCRIPT = "(declare-const x Int)\n(assert (= (div x 2) 3))\n(check-sat)\n"
RECORD = FindingRecord(
    "disagreement", "", ("z3@4.8.6",), "disagreement | z3@4.8.6 | unsat", "z3@4.8.6: unsat; cvc5: sat",
    "typefuzz", "1", 1, 1, "verdict", SCRIPT, (("some/where/seed.smt2", SCRIPT),), (), None, "", None, (),
)  # fmt: skip
ROWS = (
    Row("4.8.5.0", Standing.GOOD, "sat"),
    Row("4.8.6.0", Standing.BAD, "unsat"),
    Row("4.8.7.0", Standing.BAD, "unsat"),
    Row("5.4.0.0", Standing.GOOD, "sat"),
)
SYMPTOM = Symptom(Kind.WRONG_VERDICT, truth=Verdict.SAT)
TRIAGE = Triage(
    digest=RECORD.digest,
    judgement=JudgementRecord(
        Defect.REFUTATION_UNSOUNDNESS, ("z3@4.8.6",), Verdict.SAT,
        (EvidenceRecord("model", "This model satisfies every assertion.", "(define-fun x () Int 6)"),),
    ),
    script=SCRIPT,
    signature="refutation unsoundness | z3 |  | Arithmetic | = div",
    suspect="z3@4.8.6",
    product="z3",
    release="4.8.6.0",
    command=("z3", "smt.arith.solver=2", "bug.smt2"),
    posed=SCRIPT,
    output="unsat",
    symptom=SYMPTOM,
    bisection=Bisection("z3", SYMPTOM, ROWS),
    options=(OptionRecord("smt.arith.solver=2", is_needed=True, without="sat"),),
    cold=Shown(3, 3),
    other_seeds=Shown(2, 3),
    readers=("z3", "cvc5"),
)  # fmt: skip


def material(**more: object) -> Material:
    return Material(RECORD, msgspec.structs.replace(TRIAGE, **more))


@pytest.mark.parametrize("form", trackers.ALL)
def test_every_form_has_what_a_maintainer_needs(form: str) -> None:
    text = trackers.ALL[form](material())
    for needed in (
        "# ", "unsat", "`sat`", SCRIPT.strip(), "4.8.6.0", "z3 smt.arith.solver=2 bug.smt2",
        "This model satisfies every assertion.", "(define-fun x () Int 6)", "3 of 3", "2 of 3",
        "smt.arith.solver=2` is needed: without it the answer is `sat`", "| 4.8.6.0 … 4.8.7.0 (2) | bad |",
        "First bad: 4.8.6.0; last good before: 4.8.5.0; fixed since: 5.4.0.0", "falsum", "seed.smt2",
    ):  # fmt: skip
        assert needed in text, needed
    assert "some/where" not in text


def test_the_forms_are_the_projects_own() -> None:
    assert "### Minimal Reproduction" in trackers.z3(material())
    assert "Incorrect result (SAT/UNSAT/Unknown)" in trackers.z3(material())
    assert "last working version: 4.8.5.0" in trackers.z3(material())
    assert "**cvc5 version/commit**" in trackers.cvc5(material())
    assert trackers.form_of("opensmt") == trackers.GENERIC


def test_titles_and_answers() -> None:
    crash = Symptom(Kind.CRASH, message="assertion: ast.cpp failed")
    judged = JudgementRecord(Defect.CRASH, ("z3@4.8.6",), None, ())
    crashed = material(symptom=crash, judgement=judged, output="ASSERTION VIOLATION\n```")
    assert crashed.title == "Crash on an arithmetic formula: assertion: ast.cpp failed"
    assert "````\nASSERTION VIOLATION\n```\n````" in crashed.actual
    assert crashed.expected == "Any answer, without a crash."
    assert material().title == "Refutation unsoundness: unsat for a satisfiable arithmetic formula"
    several = "(declare-const a (Array Int (Set Int)))(assert (= 3 (+ 1 (set.card (select a 0)))))"
    about = "unsat for a satisfiable arithmetic, array and set formula"
    assert material(script=several).title == f"Refutation unsoundness: {about}"
    assert material(options=()).options == "Default options."
    assert material(bisection=None).releases == "Not looked at."


def test_long_proofs_are_left_out() -> None:
    proof = EvidenceRecord("proof", "There is a proof.", "(step)\n" * 100)
    judged = msgspec.structs.replace(TRIAGE.judgement, evidence=(proof,))
    assert material(judgement=judged).evidence == "There is a proof."


def test_the_table_of_releases_cannot_be_broken_by_messages() -> None:
    rows = (Row("1", Standing.CRASHES, "a | b `c`"),)
    assert "| 1 | crashes otherwise | `a \\| b 'c'` |" in table(Bisection("z3", SYMPTOM, rows))


def test_the_checklist_names_what_is_missing() -> None:
    ready = msgspec.structs.replace(TRIAGE, bisection=Bisection("z3", SYMPTOM, ROWS[:3]))
    assert "Nothing that falsum can check is missing" in checklist.checklist(
        Material(RECORD, ready), "4.8.7.0"
    )
    old = checklist.checklist(material(remarks=("not heard: cvc5",)), "5.4.0.0")
    assert "Not ready: shows in the newest release (5.4.0.0)." in old
    assert "not heard: cvc5" in old
    judged = msgspec.structs.replace(TRIAGE.judgement, evidence=(EvidenceRecord("majority", "Two to one."),))
    poor = material(
        judgement=judged, readers=("z3",), cold=Shown(2, 3), posed="(check-sat)\n" * 11, bisection=None
    )
    marks = {point.wanted.split(" (")[0]: point.is_met for point in checklist.points(poor, "")}
    assert marks["reproduces in fresh processes"] is False
    assert marks["10 lines or fewer"] is False
    assert marks["accepted by two readers besides falsum's"] is False
    assert marks["evidence that does not rest on the solver itself"] is False
    assert marks["last good and first bad release"] is False


def test_the_regression_has_the_status_before_its_check() -> None:
    text = files.regression(material(script="(set-info :status unsat)" + SCRIPT))
    assert text.startswith("(set-logic ALL)\n")
    assert "(set-info :status sat)\n(check-sat)" in text
    assert ":status unsat" not in text
    assert read_script(text)
    two = files.regression(
        material(
            script=SCRIPT + "(check-sat)",
            judgement=msgspec.structs.replace(TRIAGE.judgement, check=1),
        )
    )
    assert two.index(":status") > two.index("(check-sat)")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    with Store(tmp_path / "out") as store:
        number = store.begin({})
        batch = BatchRecord(1, "typefuzz", "seed.smt2", 1, 0.1, "done", {})
        store.record(number, batch, findings=[RECORD])
    return tmp_path / "out"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(findings.command, arguments, catch_exceptions=False)


def test_export_writes_reports_of_what_is_triaged(out: Path, tmp_path: Path) -> None:
    home = out / FINDINGS / finding_folder.name_of(RECORD)
    bare = run("export", "--out", str(out), "--to", str(tmp_path / "bare"))
    assert "1 findings" in bare.stdout
    assert "0 with reports" in bare.stdout
    with pytest.raises(UsageError, match="not triaged"):
        files.write(home)
    triaged.keep(home, triaged.TRIAGE, TRIAGE)
    said = run("export", str(home), "--to", str(tmp_path / "to"), "--format", "generic")
    assert "1 with reports" in said.stdout
    copy = tmp_path / "to" / home.name
    assert (copy / triaged.REPORT).read_text().startswith("# Refutation unsoundness")
    assert "Not ready" in (copy / files.CHECKLIST).read_text()
    assert ":status sat" in (copy / files.REGRESSION).read_text()
    assert not (home / triaged.REPORT).exists()
    arguments = (
        "export",
        "--out",
        str(out),
        "--to",
        str(tmp_path / "none"),
        "--product",
        "cvc5",
        "--leaders",
    )
    assert "0 findings" in run(*arguments).stdout


def test_the_list_has_the_word_and_the_group(out: Path) -> None:
    triaged.keep(out / FINDINGS / finding_folder.name_of(RECORD), triaged.TRIAGE, TRIAGE)
    (line,) = run("list", "--out", str(out), "--json").stdout.splitlines()
    shown = json.loads(line)
    assert shown["judged"] == "refutation unsoundness: z3@4.8.6"
    assert shown["group"] == RECORD.digest


def test_triage_by_hand_tells_what_it_cannot_do(out: Path) -> None:
    """The suspect of this finding is not installed, or does not show it: either way the rest goes on."""
    done = run("triage", "--out", str(out), "--json", "--no-bisect", "--jobs", "1")
    (line,) = done.stdout.splitlines()
    shown = json.loads(line)
    assert "error" in shown or shown["judgement"]["word"] in {"undecided", "incompleteness"}


def test_quotas_are_advice() -> None:
    (line,) = findings._advice(Counter({"cvc5": 4}))
    assert "3 a week" in line
    assert list(findings._advice(Counter({"z3": 1}))) == []


def test_a_campaign_triages_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the workers, and a little longer; with --no-triage not at all."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(background, "_AT_THE_END", 100.0)
    Path("seed.smt2").write_text(
        "(set-logic QF_LIA)(declare-const x Int)(assert (> (+ (abs x) 1) 6))(check-sat)"
    )
    names = ("--solver", liar("verdict", "<="), "--solver", HONEST, "--strategy", "opfuzz")
    asked = ("seed.smt2", *names, "--count", "12", "--jobs", "1", "--rng", "1")
    quiet = CliRunner().invoke(fuzz.command, (*asked, "--no-triage", "--json", "--out", "quiet"))
    assert '"finding"' in quiet.stdout
    assert '"triaged"' not in quiet.stdout
    result = CliRunner().invoke(fuzz.command, (*asked, "--json", "--out", "out"), catch_exceptions=False)
    told = [json.loads(line) for line in result.stdout.splitlines()]
    done = [event for event in told if event["event"] == "triaged"]
    assert done
    for event in done:
        assert (Path("out") / FINDINGS / event["folder"] / triaged.REPORT).is_file(), event["said"]
    assert told[-1]["event"] == "end"
