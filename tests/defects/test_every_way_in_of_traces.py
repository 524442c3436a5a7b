"""Every kind of defect in a library × every command: the same failure, still there after reduction.

One liar for each kind: z3's binding with one method that lies of what mentions `mark`. What takes a trace of
library calls has to say the same of it, and nothing of an honest binding; what takes scripts only says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.api.conftest import library_named
from tests.defects.command import Done, falsum_run

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.trace import read_trace
from falsum.app.report import files
from falsum.campaign.library.confirmation import Confirmation
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.steps import triage
from falsum.defects.table import kind_of_library_check
from falsum.solvers.solver import resolve, resolve_received
from falsum.solvers.zoo import Zoo
from falsum.store.records import BatchRecord, record_of
from falsum.store.store import FINDINGS, Store
from falsum.trust import VARIABLE

BINDING = """
import os, sys
sys.path.append({library!r})
from falsum_bindings.z3 import binding as honest

class Binding(honest.Binding):
    def is_marked(self):
        return "mark" in str(self.solver)

{body}
"""
# Everything that follows `other` goes when a trace is reduced.
BEGIN = """# falsum trace 1
# solver: {solver}
# theories: core ints
new
s1 = sort Int
s2 = sort Bool
t1 = const s1 mark
t2 = const s1 other
t3 = value s1 7
t4 = term > t1 t3
t5 = term < t1 t3
t6 = term > t2 t3
t7 = term = t1 t3
assert t6
"""


@dataclass(frozen=True)
class Row:
    """`check` is the check of library runs that sees the lie, `body` the method that lies.

    `seen` is what `falsum replay` calls it: how the run ended, and the check or the call.
    """

    check: str
    body: str
    story: str
    seen: str = ""

    def __str__(self) -> str:
        return self.check


ROWS = (
    Row(
        "verdict",
        """
    def check(self, assumptions):
        return super().check(assumptions) if not self.is_marked() else "unsat"
""",
        "assert t4\ncheck\n",
    ),
    Row(
        "model",
        """
    def get_model(self):
        text = super().get_model()
        return text.replace(" 7)", " 8)") if self.is_marked() else text
""",
        "assert t7\ncheck\nget-model\n",
    ),
    Row(
        "value",
        """
    def get_value(self, term):
        return "8" if self.is_marked() and str(term) == "mark" else super().get_value(term)
""",
        "assert t7\ncheck\nget-value t1\nget-value t7\n",
        "check failed model",
    ),
    Row(
        "core",
        """
    def get_core(self):
        return super().get_core()[:1]
""",
        "assert t4\nassert t5\ncheck\nget-core\n",
    ),
    Row(
        "assumptions",
        """
    def get_unsat_assumptions(self):
        return super().get_unsat_assumptions()[:1]
""",
        "check t4 t5\nget-unsat-assumptions\n",
    ),
    Row(
        "crash",
        """
    def check(self, assumptions):
        if self.is_marked():
            os.abort()
        return super().check(assumptions)
""",
        "assert t4\ncheck\n",
        "crashed check",
    ),
    Row(
        "exception",
        """
    def check(self, assumptions):
        if self.is_marked():
            raise RuntimeError("the mark is not there")
        return super().check(assumptions)
""",
        "assert t4\ncheck\n",
        "raised check",
    ),
)


@dataclass(frozen=True)
class Place:
    """A directory with a trace and two bindings, of which one lies."""

    folder: Path
    row: Row
    capsys: pytest.CaptureFixture[str]

    @property
    def liar(self) -> str:
        return f"liar={self.folder / 'liar.py'}"

    @property
    def honest(self) -> str:
        return f"liar={self.folder / 'honest.py'}"

    def run(self, *arguments: str) -> Done:
        return falsum_run(self.capsys, *arguments)

    def finding(self) -> Path:
        """The folder of a finding of the trace in the store `out`, triaged."""
        zoo = Zoo()
        others = [resolve("cvc5", zoo)]
        with Fuzzer(resolve_received(self.liar, zoo), Settings(seconds=20), others) as fuzzer:
            outcome = fuzzer.replay(read_trace((self.folder / "bug.trace").read_text()))
            confirmed = Confirmation().confirmed(outcome, fuzzer, lambda: False)
        assert confirmed is not None
        finding, trace = confirmed
        with Store(self.folder / "out") as store:
            batch = BatchRecord(0, "api", self.liar, 1, 0.1, "done", {"first": 7})
            store.record(
                store.begin({"api": {}}), batch, findings=[record_of(finding, "api", "7", 0, 0, trace)]
            )
            (listed,) = store.findings()
        folder = self.folder / "out" / FINDINGS / listed.folder
        triage(Job(str(folder), ("cvc5",), timeout=20.0, seconds=60.0, bisects=False))
        files.write(folder)
        return folder


@pytest.fixture(params=ROWS, ids=str)
def place(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Place:
    release = library_named("z3").release
    assert release is not None
    place = Place(tmp_path, request.param, capsys)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, f"{place.liar}\n{place.honest}")
    for name, body in (("liar", place.row.body), ("honest", "")):
        (tmp_path / f"{name}.py").write_text(BINDING.format(library=release.folder, body=body))
    (tmp_path / "falsum.toml").write_text('[api]\ncompare_with = ["cvc5"]\n')
    (tmp_path / "bug.trace").write_text(BEGIN.format(solver=place.liar) + place.row.story)
    return place


def replayed(place: Place, file: str, solver: str) -> str:
    """What `falsum replay` calls wrong with a trace; "" if nothing is."""
    code, out, err = place.run("replay", file, "-s", solver, "--json")
    shown = json.loads(out)
    assert code == (1 if shown["found"] else 0), err
    if not shown["found"]:
        assert shown["ending"] == "done", shown
        return ""
    return f"{shown['ending']} {shown['kind']}"


def test_the_kinds_that_a_library_shows_have_rows() -> None:
    """Those of other checks need calls that few libraries have."""
    seen = {kind.name for row in ROWS if (kind := kind_of_library_check(row.check)) is not None}
    assert len(seen) == 5


def test_replay_and_reduce(place: Place) -> None:
    seen = replayed(place, "bug.trace", place.liar)
    assert seen == (place.row.seen or f"check failed {place.row.check}")
    assert replayed(place, "bug.trace", place.honest) == ""
    code, _, err = place.run("reduce", "bug.trace", "--out", "small.trace")
    assert code == 0, err
    small = (place.folder / "small.trace").read_text()
    assert "assert t6" not in small
    assert replayed(place, "small.trace", place.liar) == seen
    assert replayed(place, "small.trace", place.honest) == ""
    code, _, err = place.run("reduce", "bug.trace", "-s", place.honest)
    assert code == 2
    assert "nothing to reduce" in err


@pytest.mark.parametrize("words", ["solve", "bisect", "report-bug", "check", "eval --model bug.trace"])
def test_what_takes_scripts_says_so(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(tmp_path, ROWS[0], capsys)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bug.trace").write_text(BEGIN.format(solver="z3") + ROWS[0].story)
    command, *more = words.split()
    code, out, err = place.run(command, "bug.trace", *more)
    assert (code, out) == (2, "")
    assert "a trace of library calls, not a script; `falsum replay` runs it" in err


def test_a_finding_is_judged_replayed_and_tested_again(place: Place) -> None:
    folder = place.finding()
    judgement = json.loads((folder / "triage.json").read_text())["judgement"]
    kind = kind_of_library_check(place.row.check)
    assert kind is not None
    assert (judgement["word"], judgement["suspects"]) == (kind.name, [place.liar])
    for solver, status, standing in ((place.liar, 1, "bad"), (place.honest, 0, "good")):
        code, out, err = place.run(
            "findings", "retest", "--out", "out", "-s", solver, "--no-bisect", "--json"
        )
        assert code == status, out + err
        (line,) = [json.loads(line) for line in out.splitlines()]
        assert line["standing"] == standing
    script = (folder / "replay.sh").read_text()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for status, text in ((1, script), (0, script.replace("liar.py", "honest.py"))):
        (folder / "replay.sh").write_text(text)
        result = subprocess.run(
            ["/bin/sh", "replay.sh"], cwd=folder, capture_output=True, text=True, check=False,
            env=os.environ | {"PATH": path},
        )  # fmt: skip
        assert result.returncode == status, result.stdout + result.stderr
