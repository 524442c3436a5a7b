"""`falsum refix`: a fix that does not hold, one that does, and lists that go on where they were."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from falsum.app.commands import refix
from falsum.app.refix.search import RefixSearch
from falsum.errors import UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

LIAR = Path(__file__).parents[2] / "defects" / "liar_build.py"
TRIGGER = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (= (- x) (+ y 7)))(check-sat)"
FEW = ("--count", "40", "--strategy", "opfuzz:most=1", "--no-bisect", "--jobs", "2", "--max-findings", "1")


@pytest.fixture(autouse=True)
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """4.0.1 calls everything unsat; 4.0.2 has mended that, but not for `abs`; 4.0.3 is honest."""
    real = resolve("z3", Zoo()).release
    assert real is not None
    call = f"exec {sys.executable} -I -S {LIAR} {real.program}"
    for version, program in {
        "4.0.1": "echo unsat",
        "4.0.2": f'{call} unsat "$@"',
        "4.0.3": f'{call} none "$@"',
    }.items():
        file = tmp_path / "zoo" / "z3" / version / "bin" / "z3"
        file.parent.mkdir(parents=True)
        file.write_text(f"#!/bin/sh\n{program}\n")
        file.chmod(0o755)
    monkeypatch.setenv("FALSUM_ZOO", str(tmp_path / "zoo"))
    monkeypatch.setattr(Zoo, "on_path", lambda _zoo, _profile: [])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bug.smt2").write_text(TRIGGER)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(refix.command, arguments, catch_exceptions=False)


def test_a_sibling_is_found_where_the_fix_is_incomplete() -> None:
    result = run("bug.smt2", "--fixed", "z3@4.0.2", *FEW, "--json")
    assert result.exit_code == 1, result.output
    row = json.loads(result.stdout.splitlines()[0])
    assert (row["state"], row["broken"], row["defect"]) == ("fixed", "z3@4.0.1", "refutation unsoundness")
    (sibling,) = row["siblings"]
    assert (sibling["defect"], sibling["since"], sibling["is_judged"]) == (
        "refutation unsoundness",
        "still",
        True,
    )
    assert any("-> abs" in step for step in sibling["steps"])
    assert "(abs " in (Path(sibling["folder"]) / "reduced.smt2").read_text()
    assert row["cpu"] > 0


def test_a_fix_that_holds_has_no_siblings() -> None:
    result = run("bug.smt2", "--fixed", "z3@4.0.3", "--broken", "z3@4.0.1", *FEW)
    assert result.exit_code == 0, result.output
    assert "bug: z3@4.0.1 shows refutation unsoundness, z3@4.0.3 does not; no siblings in" in result.stdout


def test_a_release_that_still_shows_it_is_named() -> None:
    Path("bug.smt2").write_text(TRIGGER.replace("(- x)", "(abs x)"))
    result = run("bug.smt2", "--fixed", "z3@4.0.2", "--broken", "z3@4.0.1", *FEW)
    assert result.exit_code == 1
    assert "and z3@4.0.2 still does" in result.stdout
    assert "1 trigger: 1 not fixed" in result.stdout


def test_what_no_older_release_shows_is_no_trigger() -> None:
    with pytest.raises(UsageError, match="no older release shows any"):
        run("bug.smt2", "--fixed", "z3@4.0.3", "--broken", "z3@4.0.2", *FEW)


def test_a_list_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("bugs.tsv").write_text("trigger\tfixed\tbroken\nbug.smt2\tz3@4.0.3\tz3@4.0.1\n")
    first = run("bugs.tsv", *FEW, "--json")
    assert first.exit_code == 0, first.output
    monkeypatch.setattr(RefixSearch, "row", None)  # nothing is searched again
    assert run("bugs.tsv", *FEW, "--json").stdout == first.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bug.smt2",), "name the release that has the fix"),
        (("bug.smt2", "--fixed", "z3@4.0.3", "--broken", "cvc5"), "different products"),
        (("bug.smt2", "--fixed", "z3@4.0.1"), "no release of z3 older than 4.0.1"),
        (("bug.smt2", "--fixed", "z3@4.0.3", "--count", "1", "--for", "1s"), "either --for or --count"),
        (("table.tsv", "--fixed", "z3@4.0.3"), "no column 'trigger'"),
        (("gone.tsv", "--fixed", "z3@4.0.3"), "cannot be read"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], message: str) -> None:
    Path("table.tsv").write_text("script\nbug.smt2\n")
    with pytest.raises(Exception, match=message):
        run(*arguments)
