"""`falsum fuzz --cluster`: the same batches as on one machine, and nothing of Dask without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.campaign.places import HONEST
from tests.campaign.triage.test_steps import record

from falsum.campaign.triage import result
from falsum.store import finding_folder
from falsum.store.reader import StoreReader


@pytest.mark.timeout(400)
def test_a_cluster_runs_the_same_batches(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra: pip install 'falsum[cluster]'")
    done = {}
    for name, where in (("plain", ("-j", "2")), ("cluster", ("--cluster", "local:2"))):
        out = tmp_path / name
        words = ["fuzz", "-s", "z3", "-t", "opfuzz", "--count", "60", "--rng", "5"]
        words += ["--schedule", "even", "--no-triage", *where]  # what comes next must not depend on results
        done_by = run_falsum(*words, "--out", str(out))
        assert done_by.returncode == 0, done_by.stderr
        with StoreReader(out) as store:
            done[name] = {batch.number: (batch.strategy, batch.seed) for batch in store.batches(1)}
    shared = done["plain"].keys() & done["cluster"].keys()
    # Where the last batches end depends on time.
    assert len(shared) >= 2
    assert all(done["plain"][number] == done["cluster"][number] for number in shared)


@pytest.mark.timeout(400)
def test_findings_are_triaged_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra: pip install 'falsum[cluster]'")
    folder = finding_folder.write(tmp_path / "findings", record("leak", HONEST))
    words = ("findings", "triage", str(folder), "-s", HONEST, "--no-bisect", "--cluster", "local:1")
    done = run_falsum(*words, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    made = result.read(folder)
    assert made is not None
    assert made.suspect == HONEST
    assert (folder / result.REPORT).is_file()


def test_wrong_addresses_are_wrong_use_and_leave_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run_falsum("fuzz", "-s", "z3", "--count", "1", "--cluster", "local:none", "--out", str(out))
    assert done.returncode == 2
    assert "use e.g. local:4" in done.stderr
    assert not out.exists()


def run_falsum(*words: str) -> subprocess.CompletedProcess[str]:
    code = "from falsum.app.main import main\nif __name__ == '__main__': main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=180, check=False
    )


def test_without_it_nothing_of_dask_is_imported() -> None:
    code = (
        "import sys, falsum.app.commands.fuzz, falsum.campaign.fuzz.runner\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('dask', 'distributed')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
