"""The life of a real crash of z3's library, on real releases: re-tested, fixed, back again, bisected."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.api.conftest import library_named
from tests.app.findings.toy_repository import git

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.trace import read_trace
from falsum.app.commands import bisect, findings
from falsum.campaign.library.confirmation import Confirmation
from falsum.campaign.lifecycle import commit_bisection
from falsum.campaign.triage import result
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.steps import triage
from falsum.errors import SurroundingsError
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.zoo import Zoo
from falsum.store.records import BatchRecord, record_of
from falsum.store.store import FINDINGS, Store
from falsum.trust import VARIABLE

# A fused multiply-add of infinities under an unknown rounding mode: crashes 4.8.9 to 4.8.14.
TRACE = """# falsum trace 1
# solver: z3@4.8.10
# theories: core floats
# rng: 7
new
s1 = sort FloatingPoint 3 5
s2 = sort RoundingMode
t1 = special s1 -oo
t2 = const s2 x4
t3 = term fp.fma t2 t1 t1 t1
t4 = term distinct t3 t1
assert t4
check
"""
COMMITS, BUGGY = 8, 5
# What old releases of z3 need of setuptools.
PKG_RESOURCES = """import os
def resource_filename(package, name):
    return os.path.join(os.path.dirname(__file__), package, name)
"""


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the finding, in a store, triaged."""
    there = {release.version for release in Zoo().installed(BY_PRODUCT["z3"])}
    if not there >= {"4.8.10.0", "4.8.12.0"}:
        pytest.skip("needs old releases of z3: make zoo")
    monkeypatch.setattr(commit_bisection, "default_cache", lambda: tmp_path / "cache")
    with Fuzzer(library_named("z3@4.8.10"), Settings(seconds=20, compare=0.0)) as fuzzer:
        outcome = fuzzer.replay(read_trace(TRACE))
        confirmed = Confirmation().confirmed(outcome, fuzzer, lambda: False)
        assert confirmed is not None
        finding, trace = confirmed
    record = record_of(finding, "api", "7", 0, 0, trace)
    with Store(tmp_path / "out") as store:
        batch = BatchRecord(0, "api", "z3@4.8.10", 1, 0.1, "done", {"first": 7})
        store.record(store.begin({"api": {}}), batch, findings=[record])
        (listed,) = store.findings()
    folder = tmp_path / "out" / FINDINGS / listed.folder
    triage(Job(str(folder), timeout=20.0, bisects=False))
    return folder


def retested(folder: Path, name: str) -> tuple[int, str]:
    done = CliRunner().invoke(
        findings.command,
        ("retest", "--solver", name, "--no-bisect", "--json", "--out", str(folder.parents[1])),
        catch_exceptions=False,
    )
    line = json.loads(done.stdout)
    return done.exit_code, f"{line['standing']}: {line['before']} → {line['after']}"


@pytest.mark.timeout(600)
def test_a_finding_in_a_library_is_tested_again(found: Path) -> None:
    newest = Zoo().own(BY_PRODUCT["z3"])[0].version
    assert retested(found, "z3@4.8.12") == (1, "bad: triaged → confirmed")
    assert retested(found, "z3") == (0, f"good: confirmed → fixed in {newest}")
    assert retested(found, "z3@4.8.10") == (1, f"bad: fixed in {newest} → back again in 4.8.10.0")


@pytest.mark.timeout(600)
def test_a_finding_in_a_library_is_bisected_over_commits(found: Path, tmp_path: Path) -> None:
    """The builds are real libraries: a commit brings an old release of z3."""
    repository(tmp_path / "toy")
    asked = (
        str(found), "--git", str(tmp_path / "toy"), "--build", "sh make.sh", "--program", "build/library",
        "--good", "c1", "--bad", f"c{COMMITS}", "--json", "--out", str(tmp_path / "out"),
    )  # fmt: skip
    done = CliRunner().invoke(bisect.command, asked, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    shown: dict[str, Any] = json.loads(done.stdout)
    assert shown["commit"]["subject"] == f"change {BUGGY}"
    assert f"First bad commit: {shown['commit']['name']}" in (found / result.REPORT).read_text()


@pytest.mark.timeout(600)
def test_a_finding_in_a_library_is_bisected_with_a_build(
    found: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build is a folder with an old release in it that shows the crash; the newest release does not."""
    monkeypatch.setenv(VARIABLE, "")
    release = library_named("z3@4.8.12").release
    assert release is not None
    monkeypatch.setattr(Zoo, "installed", lambda _zoo, _profile: [])
    shutil.copytree(str(release.folder), tmp_path / "build", symlinks=True)
    (tmp_path / "build" / "pkg_resources.py").write_text(PKG_RESOURCES)
    asked = (str(found), "--solver", f"z3={tmp_path / 'build'}", "--json", "--out", str(tmp_path / "out"))
    with pytest.raises(SurroundingsError, match=r"z3@4.8.10 is not installed"):
        CliRunner().invoke(bisect.command, asked[:1], catch_exceptions=False)
    done = CliRunner().invoke(bisect.command, asked, catch_exceptions=False)
    shown: dict[str, Any] = json.loads(done.stdout)
    assert shown["build"]["standing"] == "bad"
    assert [row["standing"] for row in shown["rows"]] == ["good"]
    # The build calls itself older than the release.
    assert "new since" not in (found / result.REPORT).read_text()


def repository(folder: Path) -> None:
    """`make.sh` makes the library: the newest release up to one commit, an old one from then on."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    good, bad = library_named("z3").release, library_named("z3@4.8.10").release
    assert good is not None
    assert bad is not None
    for number in range(1, COMMITS + 1):
        source = (bad if number >= BUGGY else good).folder
        copy = shutil.which("cp")
        make = f"mkdir -p build/library && {copy} -rs {source}/z3* build/library/ # {number}\n"
        (folder / "make.sh").write_text(f"rm -rf build\n{make}")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"change {number}", date=f"2026-01-01T00:{number:02}:00Z")
        git(folder, "tag", f"c{number}")
