"""What a worker checks before it takes part in a campaign, with real solvers and programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.campaign.executors import build_archive, cluster_setup
from falsum.campaign.executors.cluster_setup import ClusterSetup, SetupContents, mismatch
from falsum.solvers.builds.relocation import relocated
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.version import __version__


def program(folder: Path, says: str) -> Path:
    file = folder / "solver"
    file.write_text(f"#!/bin/sh\necho {says}\n")
    file.chmod(0o755)
    return file


def test_a_machine_with_the_same_solvers_matches() -> None:
    made = SetupContents.of("same", [resolve("z3", Zoo()), resolve("bitwuzla", Zoo())])
    assert made.setup.version == __version__
    assert made.contents == {}
    assert not mismatch(made.setup, {})


def test_a_machine_that_differs_says_how() -> None:
    z3 = resolve("z3", Zoo()).version
    assert mismatch(ClusterSetup("old", "0.0.1"), {}) == f"it has falsum {__version__}, the campaign 0.0.1"
    assert mismatch(ClusterSetup("z3", __version__, {"z3": "1.2.3"}), {}) == (
        f"its z3 is {z3}, the campaign's is 1.2.3"
    )
    assert "no-such-program" in mismatch(ClusterSetup("path", __version__, {"/no-such-program": ""}), {})


def test_a_build_is_used_where_it_is_and_sent_where_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_archive, "default_folder", lambda: tmp_path / "received")
    file = program(tmp_path, "sat")
    made = SetupContents.of("own", [resolve(str(file), Zoo())])
    assert cluster_setup.missing_builds(made.setup) == []
    program(tmp_path, "unsat")
    (missing,) = cluster_setup.missing_builds(made.setup)
    assert missing.path == str(file)
    file.unlink()
    builds = cluster_setup.unpacked_builds(made.setup, made.contents)
    assert not mismatch(made.setup, builds)
    with relocated(builds):
        solver = resolve(str(file), Zoo())
        assert solver.name == str(file)
        with LiveLab([solver], Limits()) as lab:
            answer = lab.ask(Request(solver.name, "(check-sat)", cold=True))
    assert [str(verdict) for verdict in answer.verdicts] == ["sat"]
    assert "program not found" in mismatch(made.setup, {})


def test_a_binding_is_sent_as_well(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Binding: pass\n")
    made = SetupContents.of("own", [resolve(f"mine={file}", Zoo())])
    assert [build.path for build in made.setup.builds] == [str(file)]
