"""`falsum reduce` with a trace."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.api.conftest import library_named

from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import Trace, read_trace
from falsum.app.commands import reduce
from falsum.app.library.reduce_trace import shows_same
from falsum.errors import SurroundingsError, UsageError

# bitwuzla 0.9.1 aborts: a repeated argument of an uninterpreted sort.
TRACE = """# falsum trace 1
# solver: bitwuzla
# theories: core uf bitvectors
new #5
set-option produce-models true
s1 = sort Bool #8
s2 = declare-sort U!s2
s3 = sort BitVec 8 #3
t1 = const s2 x1 #7
t2 = const s1 x2
t3 = const s3 x3
t4 = term bvnot t3
t5 = term = t4 t3
t6 = term distinct t1 t1 t1 #12
t7 = term or t6 t2
assert t7
assert t6
check
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(reduce.command, arguments, catch_exceptions=False)


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    solver = library_named("bitwuzla")
    if solver.version != "0.9.1":
        pytest.skip("the defect is one of bitwuzla 0.9.1")
    monkeypatch.chdir(tmp_path)
    Path("a.trace").write_text(TRACE)
    return "a.trace"


def test_a_trace_is_reduced(trace: str) -> None:
    result = run(trace)
    assert result.exit_code == 0, result.stderr
    small = read_trace(result.stdout)
    assert " ".join(line.word for line in small.lines) == "new declare-sort const term assert check"
    assert "t2 = term distinct t1 t1 t1\n" in result.stdout
    assert "keeping crashed" in result.stderr
    assert "15 → 6 lines in" in result.stderr


def test_json_and_out(trace: str) -> None:
    result = run(trace, "--json", "--out", "small.trace", "--tests", "3")
    shown = json.loads(result.stdout)
    assert shown["trace"] == Path("small.trace").read_text()
    assert shown["stop"] == "tests"
    assert shown["is_confirmed"]


def test_the_configuration_that_is_named_counts(trace: str) -> None:
    with pytest.raises(SurroundingsError, match=r"none\.toml"):
        run(trace, "--config", "none.toml")
    Path("own.toml").write_text("[api]\nseconds = -1\n")
    with pytest.raises(UsageError, match="seconds"):
        run(trace, "--config", "own.toml")


def test_the_message_has_to_match_a_pattern(trace: str) -> None:
    result = run(trace, "--match-err", "wrong index for var[a-z]+")
    assert result.exit_code == 0, result.stderr
    assert "15 → 6 lines in" in result.stderr


@pytest.mark.parametrize(
    ("match", "ignored", "message", "same"),
    [
        (None, None, "cannot get value of Int", False),
        (None, None, "cannot get model of Real", True),
        (None, "(Int|Real|Bool)", "cannot get model of Int", True),
        (None, "(Int|Real|Bool)", "cannot get core of Int", False),
        ("model", None, "another message about a model", True),
        ("model", None, "cannot get value of Real", False),
    ],
)
def test_failures_are_the_same_by_their_messages(
    match: str | None, ignored: str | None, message: str, *, same: bool
) -> None:
    patterns = tuple(re.compile(each) if each else None for each in (match, ignored))
    failure = RunResult(Trace(()), RunStatus.RAISED, "check", "cannot get model of Real")
    one, other = (
        RunResult(Trace(()), status, "check", message) for status in (RunStatus.RAISED, RunStatus.CRASHED)
    )
    assert shows_same(failure, (patterns[0], patterns[1]), one) is same
    assert not shows_same(failure, (patterns[0], patterns[1]), other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--match-err", "no such message"), "the message does not match 'no such message'"),
        (("--match-err", "("), "no regular expression"),
        (("--match-err", "a", "--ignore-err", "a"), "use either --match-err or --ignore-err"),
        (("--command", "true"), "use --solver, not --command"),
        (("--solver", "z3"), "replayed on z3, the trace shows no failure \\(done\\)"),
        (("--solver", "z3", "--solver", "cvc5"), "use --solver once"),
    ],
)
def test_wrong_use_is_told(trace: str, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(trace, *arguments)
