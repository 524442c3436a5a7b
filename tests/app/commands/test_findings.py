"""`falsum findings triage` and `export`: reports in the trackers' forms, checklists, regressions."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from tests.app.report.example import RECORD, TRIAGE
from tests.campaign.places import HONEST, liar

from falsum.app.commands import findings, fuzz
from falsum.app.report import files
from falsum.campaign.triage import background
from falsum.campaign.triage import result as triaged
from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.records import BatchRecord, ListedFinding
from falsum.store.states import FindingState, StateChange
from falsum.store.store import FINDINGS, Store


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
    assert "1 finding," in bare.stdout
    assert "0 with reports" in bare.stdout
    with pytest.raises(UsageError, match="not triaged"):
        files.write(home)
    triaged.write(home, triaged.TRIAGE, TRIAGE)
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
    triaged.write(out / FINDINGS / finding_folder.name_of(RECORD), triaged.TRIAGE, TRIAGE)
    (line,) = run("list", "--out", str(out), "--json").stdout.splitlines()
    shown = json.loads(line)
    assert shown["judged"] == "refutation unsoundness: z3@4.8.6"
    assert shown["group"] == RECORD.digest


def test_triage_by_hand_reports_what_it_cannot_do_and_goes_on(out: Path) -> None:
    """The suspect of the first finding is not installed; the second is triaged all the same."""
    missing = msgspec.structs.replace(RECORD, suspects=("z3@0.0.1",), signature="of a missing release")
    honest = msgspec.structs.replace(RECORD, suspects=(HONEST,), signature="of a solver that is right")
    with Store(out) as store:
        batch = BatchRecord(2, "typefuzz", "seed.smt2", 2, 0.1, "done", {})
        store.record(store.begin({}), batch, findings=[missing, honest])
    folders = [str(out / FINDINGS / finding_folder.name_of(record)) for record in (missing, honest)]
    asked = ("--json", "--no-bisect", "--jobs", "1", "--solver", "z3", "--solver", "cvc5", "--solver", HONEST)
    done = run("triage", *folders, "--out", str(out), *asked)
    failed, triaged_ = map(json.loads, done.stdout.splitlines())
    assert failed == {"folder": folders[0], "error": failed["error"]}
    assert "z3@0.0.1 is not installed" in failed["error"]
    assert triaged_["folder"] == folders[1]
    assert triaged_["judgement"]["word"] == "undecided"
    assert (Path(folders[1]) / triaged.REPORT).is_file()
    assert not (Path(folders[0]) / triaged.REPORT).exists()


def test_quotas_are_advice() -> None:
    (line,) = findings._advice(Counter({"cvc5": 4}))
    assert "3 a week" in line
    assert list(findings._advice(Counter({"z3": 1}))) == []


def test_a_campaign_triages_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the workers, and a little longer; with --no-triage not at all."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(background, "_SHARE_AT_THE_END", 100.0)
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


def listed_at(width: int) -> list[str]:
    """The table as a terminal of this width shows it."""
    found = [
        ListedFinding("0123456789ab", "s", "disagreement", ("/opt/solvers/build/bin/z3", "cvc5"), 12, 0.0,
                      0.0, "f", "check 1: z3: sat; cvc5: unsat" * 5),
        ListedFinding("ba9876543210", "t", "crash", ("z3",), 1, 0.0, 0.0, "g", "z3 crashed"),
    ]  # fmt: skip
    states = {one.folder: StateChange(FindingState.NEW, 0.0) for one in found}
    stream = io.StringIO()
    table = findings._table(found, {"g": {"judged": "crash: z3", "group": ""}}, states, width)
    Console(file=stream, width=width, highlight=False, markup=False).print(table)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_the_list_fits_80_columns_with_a_line_for_each_finding() -> None:
    lines = listed_at(80)
    assert len(lines) == 3
    assert all(len(line) <= 80 for line in lines)
    assert lines[1].startswith(
        "0123456789ab  disagreement  12    new    /opt/solvers/build/bin/z3, cvc5: check"
    )
    assert lines[2] == "ba9876543210  crash         1     new    crash: z3"
    assert all(len(line) <= 160 for line in listed_at(160))
    assert "evidence" in listed_at(160)[0]


def test_no_findings(tmp_path: Path) -> None:
    Store(tmp_path).close()
    result = CliRunner().invoke(findings.command, ["list", "--out", str(tmp_path)])
    assert result.output == f"no findings in {tmp_path}\n"
