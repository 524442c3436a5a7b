"""`falsum bisect`, on files and findings."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from tests.app.report import example

from falsum.app.commands import bisect
from falsum.campaign.triage import answer_cache
from falsum.campaign.triage import result as triaged
from falsum.campaign.triage.bisection import Bisection
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.zoo import Origin, Release, Zoo
from falsum.store import finding_folder

SCRIPT = "(declare-const x Int)(assert (> x 3))(check-sat)"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, own_releases: None) -> None:
    (tmp_path / "bug.smt2").write_text(SCRIPT)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bisect.command, arguments, catch_exceptions=False)


def test_a_file_with_what_is_right() -> None:
    result = run("bug.smt2", "--product", "z3", "--expect", "unsat")
    assert result.exit_code == 0
    assert "bad" in result.stdout
    assert "only one release was tested: 5" in result.stdout
    shown = json.loads(run("bug.smt2", "--product", "z3", "--expect", "unsat", "--json").stdout)
    assert shown["first_bad"] == shown["rows"][0]["release"]
    assert shown["rows"][0]["said"] == "sat"


def test_two_releases_that_disagree_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The older one lies: a model of the newer shows it."""
    program = tmp_path / "z3-liar"
    program.write_text("#!/bin/sh\necho unsat\n")
    program.chmod(0o755)
    liar = Release("z3", "4.0.1", Origin.ZOO, program=str(program))
    monkeypatch.setattr(Zoo, "installed", lambda _zoo, profile: [liar] if profile.product == "z3" else [])
    result = run("bug.smt2", "--product", "z3")
    assert "first bad: 4.0.1, the oldest tested; fixed in:" in result.stdout


def test_wrong_use() -> None:
    with pytest.raises(UsageError, match="--product is required for a file"):
        run("bug.smt2", "--expect", "unsat")
    with pytest.raises(
        UsageError, match=r"No answer contradicts another one .*; use --expect, --slower-than"
    ):
        run("bug.smt2")
    with pytest.raises(UsageError, match="unknown product"):
        run("bug.smt2", "--product", "z4")
    with pytest.raises(
        UsageError, match=r"No answer contradicts another one .*; use --expect, --slower-than"
    ):
        run("bug.smt2", "--product", "z3")
    with pytest.raises(UsageError, match="no-such-finding: no such file or folder"):
        run("no-such-finding", "--product", "z3")
    with pytest.raises(SurroundingsError, match="no release"):
        run("bug.smt2", "--product", "cvc4")


def test_what_no_release_shows_is_not_wrong_use() -> None:
    result = run("bug.smt2", "--product", "z3", "--expect", "sat")
    assert result.exit_code == 0
    assert "none of the tested releases of z3 shows it" in result.stdout


def test_what_no_release_can_tell_is_not_called_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mute = Release("z3", "4.0.1", Origin.ZOO, program=program(tmp_path / "mute", "echo unknown")[3:])
    monkeypatch.setattr(Zoo, "installed", lambda _zoo, profile: [mute] if profile.product == "z3" else [])
    monkeypatch.setattr(Zoo, "own", lambda _zoo, _profile: [])
    monkeypatch.setattr(Zoo, "on_path", lambda _zoo, _profile: [])
    with pytest.raises(SurroundingsError, match="no release of z3 that was asked can tell"):
        run("bug.smt2", "--product", "z3", "--expect", "sat")


def test_a_finding_and_its_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table goes into the finding's folder and its report; nothing is judged again."""
    program = tmp_path / "z3-liar"
    program.write_text("#!/bin/sh\necho unsat\n")
    program.chmod(0o755)
    liar = Release("z3", "4.0.1", Origin.ZOO, program=str(program))
    monkeypatch.setattr(Zoo, "installed", lambda _zoo, profile: [liar] if profile.product == "z3" else [])
    home = finding_folder.write(tmp_path, example.RECORD)
    made = msgspec.structs.replace(example.TRIAGE, script=SCRIPT, suspect="z3@4.0.1", bisection=None)
    triaged.write(home, triaged.TRIAGE, made)
    result = run(str(home))
    assert "first bad: 4.0.1" in result.stdout
    assert "First bad: 4.0.1" in (home / triaged.REPORT).read_text()
    kept = triaged.read(home)
    assert kept is not None
    assert kept.bisection == triaged.load(home, triaged.BISECTION, Bisection)


def program(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo 'Z3 version 99.1.0' && exit\n{text}\n")
    path.chmod(0o755)
    return f"z3={path}"


def test_a_build_of_ones_own_is_the_newer_end(tmp_path: Path) -> None:
    liar = program(tmp_path / "my-z3", "echo unsat")
    newest = Zoo().own(BY_PRODUCT["z3"])[0].version
    result = run("bug.smt2", "--solver", liar, "--expect", "sat")
    assert f"{liar} (99.1.0) shows it: new since {newest}, the newest tested; none of the" in result.stdout
    shown = json.loads(run("bug.smt2", "--solver", liar, "--expect", "unsat", "--json").stdout)
    assert shown["build"]["standing"] == "good"
    assert shown["build"]["release"] == f"{liar} (99.1.0)"
    assert [row["release"] for row in shown["rows"]] == [newest]
    result = run("bug.smt2", "--solver", liar, "--expect", "unsat")
    assert f"does not show it: fixed since {newest}, the newest tested" in result.stdout
    # The build is another one now; what it answered before does not count.
    program(tmp_path / "my-z3", "echo sat")
    result = run("bug.smt2", "--solver", liar, "--expect", "unsat")
    assert f"{liar} (99.1.0) shows it, like {newest}, the newest tested" in result.stdout


def test_what_is_wrong_with_a_build_is_found_out(tmp_path: Path) -> None:
    """Without --expect: a crash, or a verdict against the releases; the product is the build's."""
    crash = program(tmp_path / "my-z3", "echo 'ASSERTION VIOLATION in smt.cpp' >&2; kill -ABRT $$")
    result = run("bug.smt2", "--solver", crash)
    assert "(99.1.0) shows it: new since" in result.stdout
    liar = program(tmp_path / "my-z3", "echo unsat")
    result = run("bug.smt2", "--solver", liar)
    assert "(99.1.0) shows it: new since" in result.stdout


def test_an_environment_as_a_build() -> None:
    """The one in which the tests run: the library with an interpreter of its own."""
    result = run("bug.smt2", "--solver", f"cvc5={sys.prefix}", "--expect", "unsat")
    assert f"cvc5={sys.prefix} (" in result.stdout
    assert "shows it, like" in result.stdout


def test_with_a_bad_build_the_newest_release_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the build nothing is bad, and so nothing is looked for."""
    liar = program(tmp_path / "my-z3", "echo unsat")
    asked: list[str] = []

    def fails(_zoo: Zoo, product: str, wanted: str = "") -> Release:
        asked.append(wanted)
        raise SurroundingsError(f"no wheel of {product} {wanted}")

    monkeypatch.setattr(Zoo, "available", lambda _zoo, _profile: ("99.0.0", "98.0.0", "4.0.0"))
    monkeypatch.setattr(Zoo, "add", fails)
    assert run("bug.smt2", "--product", "z3", "--expect", "sat", "--install").exit_code == 0
    assert asked == []
    run("bug.smt2", "--solver", liar, "--expect", "sat", "--install")
    assert asked == ["99.0.0", "98.0.0"]


def test_builds_that_cannot_be_an_end(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give a build by its path: PRODUCT=PATH"):
        run("bug.smt2", "--solver", "z3", "--expect", "sat")
    liar = program(tmp_path / "my-z3", "echo unsat")
    with pytest.raises(UsageError, match="is not a build of cvc5"):
        run("bug.smt2", "--solver", liar, "--product", "cvc5", "--expect", "sat")
    program(tmp_path / "odd", "echo unsat")
    with pytest.raises(UsageError, match="say which product it is: PRODUCT="):
        run("bug.smt2", "--solver", str(tmp_path / "odd"), "--expect", "sat")
    with pytest.raises(UsageError, match="--git builds what it tests itself"):
        run("bug.smt2", "--solver", liar, "--git", str(tmp_path), "--build", "make")


def last_line_of_what_nothing_shows(option: str) -> str:
    result = run("bug.smt2", "--product", "z3", "--expect", "sat", option)
    return result.stdout.splitlines()[-1]


def test_what_was_not_asked_and_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    output = run("bug.smt2", "--product", "z3", "--expect", "unsat").stdout.splitlines()[-1]
    assert (
        output
        == "asked the 1 release on this machine; --install adds those that tell most, --all every release"
    )
    available = tuple(f"4.{number}.0" for number in reversed(range(20)))
    monkeypatch.setattr(Zoo, "available", lambda _zoo, _profile: available)

    def fails(_zoo: Zoo, product: str, wanted: str = "") -> Release:
        raise SurroundingsError(f"no wheel of {product} {wanted}")

    monkeypatch.setattr(Zoo, "add", fails)
    output = last_line_of_what_nothing_shows("--install")
    assert output.startswith("not asked: 4.0.0, 4.1.0, ")
    assert output.endswith(" and 12 more; --all installs and asks them, too")
    assert last_line_of_what_nothing_shows("--all") == "asked all 21 releases that can be installed"


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(answer_cache, "default_folder", lambda: tmp_path / "file" / "cache")
    assert run("bug.smt2", "--product", "z3", "--expect", "unsat").exit_code == 0
    assert caplog.messages == [f"answers are not cached: {tmp_path}/file/cache: Not a directory"]
