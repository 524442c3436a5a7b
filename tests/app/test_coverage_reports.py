"""What campaigns reach is counted from time to time, and shown at their end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.toy.builds import COVERED, binding, program

from falsum.app.coverage_reports import TABLE, CoverageReports
from falsum.app.main import main
from falsum.solvers.instruments.build import COVERAGE_VARIABLE
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

SEED = """(set-logic QF_UF)
(declare-fun p () Bool)
(declare-fun q () Bool)
(assert (and (or (not p) q) (= p (not q))))
(check-sat)
"""


def test_it_is_counted_while_the_campaign_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COVERAGE_VARIABLE, str(tmp_path))
    name = program(*COVERED)
    reports = CoverageReports(tmp_path, [name], pause=0.1)
    assert "no data in" in reports.summary()
    with reports, LiveLab([resolve(name, Zoo())], Limits(seconds=30.0)) as lab:
        lab.ask(Request(name, "(declare-fun p () Bool)(check-sat)"))
        deadline = time.monotonic() + 60
        while not (tmp_path / TABLE).exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        lab.ask(Request(name, SEED))
    head, *rows = (tmp_path / TABLE).read_text().splitlines()
    assert head == "seconds,lines,all_lines,functions,all_functions"
    lines = [int(row.split(",")[1]) for row in rows]
    assert len(rows) >= 2
    assert lines == sorted(lines)
    assert lines[0] < lines[-1]
    assert f"{lines[-1]} of" in reports.summary()


@pytest.mark.parametrize("kind", ["program", "warm library", "pipe"])
def test_campaigns_leave_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Also of processes that answer many scripts, and that are ended by falsum."""
    monkeypatch.setenv(COVERAGE_VARIABLE, "")
    (tmp_path / "seed.smt2").write_text(SEED)
    common = ["--out", str(tmp_path / "out"), "--coverage", str(tmp_path / "data"), "-j1", "--no-triage"]
    (tmp_path / "falsum.toml").write_text("[api.bounds]\nactions = 40\n")
    api = ["api", "--theory", "core", "--count", "3", "--rng", "5", "--config", str(tmp_path / "falsum.toml")]
    fuzz = ["fuzz", str(tmp_path / "seed.smt2"), "--schedule", "even", "--no-engines"]
    arguments = {
        "program": [*fuzz, "-s", program(*COVERED), "-s", "z3", "--count", "9", "--rng", "1"],
        "warm library": [*api, "-s", binding(*COVERED)],
        "pipe": [*api, "-s", program(*COVERED), "--pipe"],
    }
    with pytest.raises(SystemExit) as left:
        main([*arguments[kind], *common])
    assert left.value.code == 0
    assert "  after " in capsys.readouterr().out
    counted = [int(word) for word in (tmp_path / "data" / TABLE).read_text().splitlines()[-1].split(",")[1:]]
    assert 0 < counted[0] <= counted[1]
    assert 0 < counted[2] <= counted[3]
