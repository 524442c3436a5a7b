"""The life of a real bug of z3, on real releases: found, re-tested, fixed, back again, merged, known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.campaign.places import liar

from falsum.app.commands import findings, fuzz
from falsum.campaign.triage import answer_cache
from falsum.errors import UsageError
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.zoo import Zoo
from falsum.store.reader import StoreReader

# https://github.com/Z3Prover/z3/issues/5305: wrong in 4.8.6, 4.8.7, 4.8.9 and 4.8.10
SEED = """(set-logic ALL)
(declare-const x Int)
(define-fun-rec y () Int x)
(assert (not (= y x)))
(check-sat)
"""
OLD, FIXED, OLDER = "4.8.10.0", "4.8.12.0", "4.8.7.0"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The releases of this life alone, whatever is installed; a cache of this test's own."""
    there = {release.version: release for release in Zoo().installed(BY_PRODUCT["z3"])}
    if not there.keys() >= {OLD, FIXED, OLDER}:
        pytest.skip("needs old releases of z3: make zoo")
    few = [there[version] for version in (OLDER, OLD, FIXED)]
    installed = Zoo.installed
    monkeypatch.setattr(
        Zoo, "installed", lambda zoo, profile: few if profile.product == "z3" else installed(zoo, profile)
    )
    monkeypatch.setattr(answer_cache, "default_folder", lambda: tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seed.smt2").write_text(SEED)
    return tmp_path


def found(*more: str, out: str = "out", count: tuple[str, ...] = ("--count", "1")) -> list[dict[str, Any]]:
    """The events of a campaign over the seed, which shows the bug itself."""
    asked = ("seed.smt2", "-s", "z3@4.8.10", "-s", "z3", "-s", "cvc5", "-t", "opfuzz", *count, "-j", "1")
    result = CliRunner().invoke(
        fuzz.command,
        (*asked, "--rng", "1", "--no-triage", "--json", "--out", out, *more),
        catch_exceptions=False,
    )
    return [{"code": result.exit_code}, *map(json.loads, result.stdout.splitlines())]


def run(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(findings.command, (*arguments, "--json"), catch_exceptions=False)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def state(out: str = "out") -> str:
    _code, (listed,) = run("list", "--out", out)
    change = listed["state"]
    return " ".join(filter(None, (change["state"], change["release"], change["commit"])))


def retested(name: str, *more: str, out: str = "out") -> tuple[int, str]:
    code, lines = run("retest", "--solver", name, "--out", out, "-j", "1", *more)
    (line,) = lines
    return code, f"{line['standing']}: {line['before']} → {line['after']}"


@pytest.mark.timeout(600)
def test_from_found_to_back_again(here: Path) -> None:
    events = found()
    assert events[0]["code"] == 1
    _code, (triaged,) = run("triage", "--out", "out", "-s", "z3", "-s", "cvc5", "--no-bisect", "-j", "1")
    assert triaged["judgement"]["word"] == "solution unsoundness"
    assert triaged["judgement"]["suspects"] == ["z3@4.8.10"]
    assert state() == "triaged"
    assert retested("z3@4.8.10") == (1, "bad: triaged → confirmed")
    assert retested("z3@4.8.7") == (1, "bad: confirmed → confirmed")
    newest = Zoo().own(BY_PRODUCT["z3"])[0].version
    assert retested("z3") == (0, f"good: confirmed → fixed in {FIXED}"), newest
    assert state() == f"fixed {FIXED}"
    (report,) = here.glob("out/findings/*/report.md")
    assert f"Re-tested: fixed in {FIXED}." in report.read_text()
    assert f"fixed in: {FIXED}" in report.read_text()
    assert retested("z3@4.8.12") == (0, f"good: fixed in {FIXED} → fixed in {FIXED}")
    assert retested("z3@4.8.7") == (1, f"bad: fixed in {FIXED} → back again in {OLDER}")


@pytest.mark.timeout(600)
def test_a_build_is_named_by_its_commit(here: Path) -> None:
    found()
    program = Zoo().installed(BY_PRODUCT["z3"])[-1].program
    assert program is not None
    code, said = retested(program, "--commit", "abc1234", "--no-bisect")
    assert (code, said) == (0, "good: triaged → fixed in abc1234")


@pytest.mark.timeout(900)
def test_merged_in_a_baseline_and_a_planted_bug(here: Path) -> None:
    """A second run is silent, also with an archive; what the baseline does not have is reported."""
    assert found()[0]["code"] == 1
    assert found(out="other")[0]["code"] == 1
    result = CliRunner().invoke(findings.command, ("merge", "other", "--out", "out"), catch_exceptions=False)
    assert "1 finding, 0 new" in result.stdout
    CliRunner().invoke(findings.command, ("export", "--store", "known.tar.gz", "--out", "out"))
    for number, baseline in enumerate(("out", "known.tar.gz")):
        again = found("--baseline", baseline, out=f"silent-{number}")
        assert again[0]["code"] == 0
        assert [event for event in again[1:] if event["event"] == "finding"] == []
    planted = ("-s", liar("abort", "define-fun-rec"), "--junit", "junit.xml", "--sarif", "found.sarif")
    hook = ("--on-finding", f'echo "$FALSUM_FINDING" >> {here}/hook; exit 1')
    new = found("--baseline", "out", *planted, *hook, out="new")
    assert new[0]["code"] == 1
    (event,) = [event for event in new[1:] if event["event"] == "finding"]
    assert event["kind"] == "crash"
    assert (here / "hook").read_text().splitlines() == [str((here / event["folder"]).absolute())]
    assert 'failures="1"' in (here / "junit.xml").read_text()
    (run_,) = json.loads((here / "found.sarif").read_text())["runs"]
    assert [one["baselineState"] for one in run_["results"]] == ["new"]
    for words, code in (("refutation,solution", 0), ("crash", 1)):
        assert found("--baseline", "out", *planted, "--fail-on", words, out=f"fail-{code}")[0]["code"] == code


@pytest.mark.timeout(600)
def test_enough_findings_end_a_campaign(here: Path) -> None:
    events = found("--max-findings", "1", "--budget", "60s", count=())
    assert events[-1]["ended"] == "number of findings reached"


@pytest.mark.timeout(600)
def test_a_resumed_campaign_keeps_its_baseline(here: Path) -> None:
    assert found()[0]["code"] == 1
    assert found("--baseline", "out", out="next")[0]["code"] == 0
    with StoreReader(here / "next") as store:
        campaign = store.campaign()
    assert campaign is not None
    assert campaign.plan["baseline"] == str(here / "out")
    with pytest.raises(UsageError, match="--resume cannot change baseline"):
        CliRunner().invoke(
            fuzz.command, ("--resume", "--baseline", "next", "--out", "next"), catch_exceptions=False
        )
