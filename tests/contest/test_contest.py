"""A contest: fuzzers that are planted find what they were given to find, and lie as they are told to."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from falsum.app.commands import contest
from falsum.app.contest.report import page_text
from falsum.app.contest.standings import Standings, complete
from falsum.atlas.bug import AtlasBug
from falsum.atlas.collection import atlas
from falsum.contest.benchmarks import Benchmark, near_seeds
from falsum.contest.entrants import Entrant, own_fuzzers, read_fuzzers
from falsum.contest.reports import Report, judged
from falsum.contest.statistics import critical_difference, effect_size, mann_whitney, mean_ranks
from falsum.contest.trials import FILE, ContestTrial, read_trials
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.zoo import Zoo

OLD, FIXED = "4.8.7", "4.8.10"


def bugs() -> list[AtlasBug]:
    """Bugs of a release that the tests have, mended in another one that they have."""
    zoo = Zoo()
    if zoo.find("z3", OLD) is None or zoo.find("z3", FIXED) is None:
        pytest.skip(f"z3 {OLD} or {FIXED} is not installed")
    return [b for b in atlas() if b.last == "z3@4.8.7.0" or (b.is_in("z3", OLD) and b.last == "z3@4.8.10.0")]


def usable() -> AtlasBug:
    zoo = Zoo()
    for bug in bugs():
        releases = (bug.last.partition("@")[2], bug.fixed.partition("@")[2])
        if bug.fixed and all(zoo.find("z3", release) is not None for release in releases):
            return bug
    pytest.skip("no bug between installed releases")


def trial(fuzzer: str, number: int, **found: float) -> ContestTrial:
    return ContestTrial(fuzzer, "z3@4.8.7 near", number, 10.0, 10.0, 3, found, {}, 1, 0)


def test_reports_are_told_apart() -> None:
    bug = usable()
    entry = Benchmark(bug.last, "z3", "near", (bug,), ())
    harmless = "(declare-const x Int)(assert (> x 1))(check-sat)"
    judgement = judged([Report(harmless, 1.0), Report(bug.script, 2.0), Report(bug.script, 3.0)], entry, 60)
    assert judgement.bugs == {bug.name: 2.0}
    assert judgement.false_alarms == 1
    assert judgement.judged == 2
    assert judged([Report(harmless, 1.0), Report(bug.script, 2.0)], entry, 1).left == 1


def test_near_seeds_show_nothing() -> None:
    bug = usable()
    seeds = near_seeds([bug], bug.last, "z3")
    entry = Benchmark(bug.last, "z3", "near", (bug,), seeds)
    judgement = judged([Report(text, 1.0) for _name, text in seeds], entry, 60)
    assert not judgement.bugs
    assert not judgement.others


@pytest.mark.timeout(600)
def test_a_contest_of_planted_fuzzers_goes_on_where_it_was(tmp_path: Path) -> None:
    """One fuzzer copies a script with a bug, one a harmless script, one its seeds; one cannot be started."""
    bug = usable()
    (tmp_path / "bug.smt2").write_text(bug.script)
    (tmp_path / "lie.smt2").write_text("(declare-const x Int)(assert (> x 1))(check-sat)")
    spin = f"{shlex.quote(sys.executable)} -c 'while True: pass'"

    def command(copied: str) -> str:
        return f'sh -c "cp {copied} {{out}}/; exec {spin}"'

    table = "".join(
        f"[fuzzers.{name}]\ncommand = '''{line}'''\n"
        for name, line in {
            "finder": command(str(tmp_path / "bug.smt2")), "liar": command(str(tmp_path / "lie.smt2")),
            "missing": "/no/such/program {seeds}",
        }.items()
    )  # fmt: skip
    (tmp_path / "fuzzers.toml").write_text(table)

    def run(*names: str) -> Result:
        chosen = [word for name in names for word in ("--fuzzer", name)]
        words = ["--fuzzers", str(tmp_path / "fuzzers.toml"), "--release", bug.last, "--bugs", "all"]
        words += [*chosen, "--for", "1s", "--trials", "2", "--out", str(tmp_path / "out")]
        return CliRunner().invoke(contest.command, words, catch_exceptions=False)

    run("finder")
    before = read_trials(tmp_path / "out")
    assert [bug.name in each.bugs for each in before] == [True, True]
    assert len(before) == 2
    with (tmp_path / "out" / FILE).open("ab") as file:
        file.write(b'{"torn')
    assert run("finder", "liar").exit_code == 0
    trials = read_trials(tmp_path / "out")
    assert trials[:2] == before
    assert [(each.fuzzer, each.false_alarms) for each in trials[2:]] == [("liar", 1), ("liar", 1)]
    report = (tmp_path / "out" / "report.md").read_text()
    assert "| finder | 1 | 1 | 1 | 1.00 |" in report
    assert "Found by one fuzzer only" in report
    assert "<script" not in (tmp_path / "out" / "report.html").read_text()
    with pytest.raises(SurroundingsError, match="missing"):
        run("missing")
    with pytest.raises(UsageError, match="other releases"):
        CliRunner().invoke(
            contest.command,
            ["--release", "z3@4.8.10", "--out", str(tmp_path / "out")],
            catch_exceptions=False,
        )


def test_command_lines_have_placeholders() -> None:
    fuzzer = Entrant("mine", "run {solvers} -o {out} {files} {seconds}")
    values = {"solvers": "a;b", "out": "o", "seconds": "5"}
    assert fuzzer.arguments(values, ["1", "2"]) == ["run", "a;b", "-o", "o", "1", "2", "5"]
    with pytest.raises(UsageError, match="seed"):
        Entrant("mine", "run {seed}").arguments(values, [])
    assert {"falsum", "random", "typefuzz"} <= set(own_fuzzers())


def test_files_of_fuzzers_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "fuzzers.toml"
    for text, message in (("x = [", "fuzzers.toml"), ("[fuzzers.a]\nreports='x'", "fuzzers.a")):
        file.write_text(text)
        with pytest.raises(UsageError, match=message):
            read_fuzzers(file)
    with pytest.raises(SurroundingsError):
        read_fuzzers(tmp_path / "none")


def test_who_is_best() -> None:
    trials = [trial("one", 0, a=1.0, b=2.0), trial("one", 1, a=3.0), trial("two", 0, c=4.0), trial("two", 1)]
    standings = Standings(trials, 3)
    assert standings.names == ["one", "two"]
    assert [(row.bugs, row.only, row.mean, row.false_alarms) for row in standings.rows] == [
        (2, 2, 1.5, 2), (1, 1, 0.5, 2),
    ]  # fmt: skip
    assert standings.overlap == [("a", ["one"]), ("b", ["one"]), ("c", ["two"])]
    growth = standings.growth[0].series[0].values
    assert growth[0] == 0
    assert growth[-1] == 1.5
    assert "<svg" in page_text(standings, ["<u>"])
    assert "<u>" not in page_text(standings, ["<u>"])
    assert json.dumps(len(complete([*trials, trial("one", 2)]))) == "4"


def test_statistics_are_those_of_the_textbooks() -> None:
    """By hand: U is 12 pairs and 3 ties, the variance 64/12 (17 - 18/240), z = 18/9.501."""
    u, p = mann_whitney([1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 9, 10, 11, 12, 13])
    assert u == 13.5
    assert p == pytest.approx(0.0581, abs=2e-4)
    assert mann_whitney([1, 1], [1, 1])[1] == 1.0
    assert effect_size([1, 2], [2, 3]) == 0.875
    assert mean_ranks({"a": [3, 3], "b": [1, 3]}) == {"a": 1.25, "b": 1.75}
    assert critical_difference(4, 10) == pytest.approx(2.569 * (20 / 60) ** 0.5)
