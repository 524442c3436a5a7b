"""Campaigns over libraries: many runs in processes, findings in the store, an end at any time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from tests.api.conftest import solver_named

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.app.main import main
from falsum.campaign.library import batch as api_batch
from falsum.campaign.library.batch import ApiBatch, ApiOutcome, Bench
from falsum.campaign.library.campaign import ApiCampaign, ApiPlan
from falsum.campaign.library.progress import Events
from falsum.campaign.library.triage import triage
from falsum.errors import SurroundingsError
from falsum.oracles.judge.judgement import Defect
from falsum.store.finding_folder import read
from falsum.store.records import BatchRecord
from falsum.store.store import FINDINGS, Store

BITVECTORS = Settings(theories=("bitvectors",), options=0, compare=0)


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    code = left.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().out


@pytest.fixture
def faulty(plant: Callable[[str, str], Path]) -> Callable[[str], ApiOutcome]:
    """A batch with a library that has a fault."""

    def run(body: str) -> ApiOutcome:
        batch = ApiBatch(7, "bitwuzla", (), BITVECTORS, 0, 8, 600.0)
        bench = Bench()
        fuzzer = Fuzzer(solver_named("bitwuzla"), BITVECTORS, binding=plant("bitwuzla", body))
        bench.fuzzers["bitwuzla", ()] = bench.stack.enter_context(fuzzer)
        try:
            return api_batch.run(batch, bench, lambda: False)
        finally:
            bench.close()

    return run


def test_a_fault_is_one_finding_seen_many_times(
    faulty: Callable[[str], ApiOutcome], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = faulty("def push(self, levels):\n    raise RuntimeError(f'no level {levels}')")
    (found,) = outcome.findings
    assert outcome.tally.runs == 8
    assert outcome.tally.endings["raised"] == 1 + len(outcome.sightings) > 1
    assert found.trace is not None
    assert found.signature == "api-exception | bitwuzla | raised | push | RuntimeError no level N"
    assert found.trace.small.splitlines()[5:] == ["new", "push 1", "-! RuntimeError no level 1"]
    with Store(tmp_path) as store:
        number = store.begin({"api": {}})
        record = BatchRecord(7, "api", "bitwuzla", 8, 1.0, "done", {})
        store.record(number, record, findings=outcome.findings, sightings=outcome.sightings)
        listed = store.finding(found.digest)
    home = tmp_path / FINDINGS / listed.folder
    assert {"finding.json", "whole.trace", "small.trace", "program.py", "replay.sh"} <= {
        f.name for f in home.iterdir()
    }
    assert read(home) == found
    assert listed.count == 1 + len(outcome.sightings)
    assert "push 1" in called(capsys, "findings", "show", found.digest, "--out", str(tmp_path))[1]
    rows = called(capsys, "findings", "list", "--json", "--out", str(tmp_path))[1].splitlines()
    assert [json.loads(row)["kind"] for row in rows] == ["api-exception"]
    # The real library has no such fault: the program runs to its end, and so does the trace.
    done = subprocess.run(["sh", str(home / "replay.sh")], capture_output=True, text=True, check=False)
    assert "exit status 0" in done.stdout, done.stderr
    assert called(capsys, "replay", found.digest, "--out", str(tmp_path))[0] == 0


def test_the_judge_says_who_is_wrong_in_a_contradiction(
    faulty: Callable[[str], ApiOutcome], tmp_path: Path
) -> None:
    outcome = faulty(
        "def check(self, assumptions):\n"
        "    said = super().check(assumptions)\n"
        "    return 'unsat' if said == 'sat' and not assumptions else said\n"
        "def get_core(self):\n    return self.assertions()"
    )
    kinds = [found.kind for found in outcome.findings]
    (place, *_rest) = [place for place, kind in enumerate(kinds) if kind in ("api-again", "api-one-shot")]
    found = outcome.findings[place]
    judged = triage(tmp_path, found).judgement
    assert judged.defect is Defect.REFUTATION_UNSOUNDNESS
    assert judged.suspects == ("bitwuzla",)
    assert judged.truth == "sat"
    assert "say sat to the same assertions as a script, bitwuzla unsat to calls" in judged.evidence[0].text


def test_a_judge_who_cannot_ask_ends_no_campaign(
    faulty: Callable[[str], ApiOutcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_arguments: object) -> None:
        raise SurroundingsError("z3 does not start")

    monkeypatch.setattr("falsum.campaign.library.triage.heard", fails)
    outcome = faulty("def push(self, levels):\n    raise RuntimeError('no')")
    judged = triage(tmp_path, outcome.findings[0]).judgement
    assert judged.defect is Defect.CRASH
    assert "z3 does not start" in judged.evidence[-1].text


def test_what_only_a_used_child_shows_is_a_leak(faulty: Callable[[str], ApiOutcome]) -> None:
    outcome = faulty(
        "runs = 0\n"
        "def new(self):\n    super().new()\n    self.runs += 1\n"
        "def check(self, assumptions):\n"
        "    if self.runs > 4:\n        raise RuntimeError('tired')\n"
        "    return super().check(assumptions)"
    )
    assert {found.kind for found in outcome.findings} == {"api-leak"}


def test_a_campaign_counts_and_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = called(
        capsys, "api", "-s", "bitwuzla", "--theory", "bitvectors", "--rng", "4", "--count", "30",
        "--jobs", "2", "--compare", "0", "--json", "--out", str(tmp_path),
    )  # fmt: skip
    summary = json.loads(out.splitlines()[-1])
    assert code == 0
    assert summary["event"] == "summary"
    assert summary["runs"] == sum(summary["endings"].values()) == 30
    assert summary["verdicts"]["sat"] + summary["verdicts"]["unsat"] > 10
    with Store(tmp_path) as store:
        campaign = store.campaign()
        assert campaign is not None
        assert campaign.ended == "count reached"
        assert sum(batch.made for batch in store.batches(campaign.id)) == 30


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_an_interrupted_campaign_ends_with_what_it_has(number: signal.Signals, tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "falsum.app.main", "api", "-s", "bitwuzla", "--theory", "bitvectors"]
    running = subprocess.Popen(
        [*argv, "--jobs", "1", "--compare", "0", "--json", "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while not (tmp_path / "falsum.sqlite").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1.5)
    running.send_signal(number)
    out, _ = running.communicate(timeout=30)
    assert running.returncode == 130
    assert json.loads(out.splitlines()[-1])["ended"] == "interrupted"


def test_a_worker_that_is_killed_costs_its_batch_and_nothing_else(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "falsum.app.main", "api", "-s", "bitwuzla", "--theory", "bitvectors"]
    running = subprocess.Popen(
        [
            *argv,
            "--rng",
            "4",
            "--count",
            "200",
            "--jobs",
            "2",
            "--compare",
            "0",
            "--json",
            "--out",
            str(tmp_path),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    workers: list[psutil.Process] = []
    deadline = time.monotonic() + 30
    while len(workers) < 2 and time.monotonic() < deadline:
        children = psutil.Process(running.pid).children()
        workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        time.sleep(0.05)
    workers[0].kill()
    out, _ = running.communicate(timeout=120)
    assert running.returncode in {0, 1}  # bitwuzla may have a bug
    summary = json.loads(out.splitlines()[-1])
    assert summary["ended"] == "count reached"
    with Store(tmp_path) as store:
        batches = store.batches(1)
        (lost,) = [batch for batch in batches if batch.ending == "lost"]
        assert lost.made == 0
        assert [(batch, text) for batch, _place, text in store.faults()] == [
            (lost.number, "the worker ended with status -9")
        ]
    assert summary["runs"] == sum(batch.made for batch in batches) == 175


def test_timeouts_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = called(
        capsys, "api", "-s", "z3", "--theory", "floats", "--rng", "4", "--count", "6", "--jobs", "1",
        "--compare", "0", "--timeout", "0.004", "--json", "--out", str(tmp_path),
    )  # fmt: skip
    slow = json.loads(out.splitlines()[-1])["endings"].get("timed out", 0)
    assert code == 0
    assert slow
    assert len(list((tmp_path / "timeouts").glob("z3-*.trace"))) == slow


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No run twice, none left out; and only as it began."""
    start = ["api", "-s", "bitwuzla", "--theory", "bitvectors", "--rng", "4", "--jobs", "1", "--compare", "0"]
    called(capsys, *start, "--count", "20", "--json", "--out", str(tmp_path))
    with Store(tmp_path) as store:
        # As if it had been killed with runs 8 to 11 under way.
        number = store.begin(store.campaign().plan)  # type: ignore[union-attr]
        for place, (first, made) in enumerate([(4, 4), (12, 12)]):
            tally = {"runs": made, "first": first, "endings": {"done": made}}
            store.record(number, BatchRecord(place, "api", "bitwuzla", made, 1.0, "done", tally))
    again = ["api", "--resume", "--jobs", "1", "--json", "--out", str(tmp_path)]
    summary = json.loads(called(capsys, *again)[1].splitlines()[-1])
    assert summary["runs"] == 20
    with Store(tmp_path) as store:
        batches = store.batches(number)
    runs = [run for each in batches for run in range(each.tally["first"], each.tally["first"] + each.made)]
    assert sorted(runs) == list(range(4, 24))
    # To another end it goes on, too; with other settings it does not.
    assert json.loads(called(capsys, *again, "--count", "23")[1].splitlines()[-1])["runs"] == 23
    assert called(capsys, *again, "--rng", "5")[0] == 2
    assert called(capsys, *again, "--theory", "floats")[0] == 2
    assert called(capsys, "fuzz", "--resume", "--out", str(tmp_path))[0] == 2


def test_findings_are_triaged_with_the_words_of_all_others(
    faulty: Callable[[str], ApiOutcome], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = faulty("def push(self, levels):\n    raise RuntimeError(f'no level {levels}')")
    plan = ApiPlan((("bitwuzla", ()),), BITVECTORS, 0, count=8)
    with Store(tmp_path) as store:
        campaign = ApiCampaign(plan, store, Events())
        campaign._take(outcome)
    capsys.readouterr()
    rows = called(capsys, "findings", "list", "--json", "--out", str(tmp_path))[1].splitlines()
    (row,) = map(json.loads, rows)
    assert row["judged"] == "crash: bitwuzla"
    assert row["group"] == row["digest"]
    assert row["count"] == 1 + len(outcome.sightings)
