"""Bisection: tables, spans, the search for the releases to install, answers that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from falsum.campaign.triage.bisection import Bisection, bisect, capital_sentence, sentence
from falsum.campaign.triage.releases import ReleaseRow, ScriptReleases, usable_releases
from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.recheck import shows
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT, Profile
from falsum.solvers.zoo import Origin, Release, Zoo
from falsum.strategies.mutant import Mutant

SCRIPT = "(declare-const x Int)(assert (> x 0))(check-sat)"
CASE = Case(Mutant(SCRIPT))
TARGET = Target(Defect.REFUTATION_UNSOUNDNESS, truth=Verdict.SAT)
ALL = [f"1.{n}.0" for n in range(16)]


def table(*standings: str) -> Bisection:
    rows = tuple(ReleaseRow(f"1.{n}", Standing(word), "") for n, word in enumerate(standings))
    return Bisection("z3", TARGET, rows)


@pytest.mark.parametrize(
    ("standings", "first", "good", "fixed"),
    [
        ("good bad bad good", "1.1", "1.0", "1.3"),
        ("bad bad", "1.0", "", ""),
        ("good unknown bad", "1.2", "1.0", ""),
        ("good bad unknown bad good", "1.1", "1.0", "1.4"),
        ("good bad good bad good", "1.1", "1.0", "1.4"),
        ("good good", "", "", ""),
    ],
)
def test_what_a_table_says(standings: str, first: str, good: str, fixed: str) -> None:
    found = table(*standings.replace("timed out", "timed-out").split())
    assert (found.first_bad, found.last_good, found.fixed_in) == (first, good, fixed)


def test_the_last_working_release_is_the_newest_before_it_came_back() -> None:
    assert table("good", "bad", "good", "unknown", "bad").last_working == "1.2"
    assert table("good", "bad", "good").last_working == "1.0"
    assert table("unknown", "bad").last_working == ""
    assert table("good").last_working == ""


def with_build(found: Bisection, word: str, version: str) -> Bisection:
    name = f"z3=/Build/Z3 ({version})"
    return msgspec.structs.replace(found, build=ReleaseRow(name, Standing(word), "", version=version))


@pytest.mark.parametrize(
    ("word", "version", "words", "working"),
    [
        ("bad", "1.9", "z3=/Build/Z3 (1.9) shows it: new since 1.2, the newest tested", "1.2"),
        ("bad", "", "z3=/Build/Z3 () shows it: new since 1.2, the newest tested", "1.2"),
        ("bad", "1.2", "z3=/Build/Z3 (1.2) shows it: new since 1.2, the newest tested", "1.2"),
        ("bad", "1.1", "z3=/Build/Z3 (1.1) shows it; 1.2, the newest tested, does not show it", "1.0"),
        ("good", "1.9", "z3=/Build/Z3 (1.9) does not show it, like 1.2, the newest tested", "1.0"),
    ],
)
def test_a_build_stands_where_its_version_says(word: str, version: str, words: str, working: str) -> None:
    """Names stay as they are at the beginning of a sentence, too: a path in small letters is another one."""
    found = with_build(table("good", "bad", "good"), word, version)
    assert capital_sentence(found).startswith(f"{words}; first bad: 1.1")
    assert found.last_working == working
    assert capital_sentence(table("good", "bad", "good")).startswith("First bad: 1.1; last good: 1.0")


def test_in_words() -> None:
    assert "came and went: 1.1..1.1, 1.3..1.3" in sentence(table("good", "bad", "good", "bad", "good"))
    assert "not fixed in 1.1" in sentence(table("good", "bad"))
    assert sentence(table("bad")) == "only one release was tested: 1.0 shows it"
    assert sentence(table("bad", "good")) == "first bad: 1.0, the oldest tested; fixed in: 1.1"
    assert sentence(table("unknown", "bad", "good")).startswith("first bad: 1.1; last good: none known")
    assert (
        "last good: 1.0; not fixed in 1.3, the newest tested; not to be told: 1.1 (unknown), 1.2 (rejected)"
        in (sentence(table("good", "unknown", "rejected", "bad")))
    )
    assert "not to be told" not in sentence(table("unknown", "bad", "unknown", "bad", "good", "unknown"))
    assert sentence(table("good")) == "none of the tested releases of z3 shows it"
    not_shown = "none of the tested releases of z3 shows it; 1 of 3 cannot tell"
    assert sentence(table("good", "unknown", "good")) == not_shown
    assert sentence(table("unknown", "timed out")) == "no tested release of z3 can tell"
    assert table("unknown", "timed out").is_open
    assert not table("unknown", "good").is_open


class PretendZoo(Zoo):
    """Releases that exist on paper; adding one is remembered."""

    def __init__(self, there: Sequence[str]) -> None:
        super().__init__(Path("/nowhere"))
        self.there = list(there)
        self.added: list[str] = []

    def installed(self, profile: Profile) -> list[Release]:
        return [Release(profile.product, release, Origin.ZOO, program="/bin/false") for release in self.there]

    def own(self, profile: Profile) -> list[Release]:
        return []

    def on_path(self, profile: Profile) -> list[Release]:
        return []

    def available(self, profile: Profile) -> tuple[str, ...]:
        return tuple(reversed(ALL))

    def add(self, product: str, wanted: str = "") -> Release:
        self.added.append(wanted)
        if wanted == "1.0.0":
            raise SurroundingsError("no wheel for this interpreter")
        return Release(product, wanted, Origin.ZOO, program="/bin/false")


class PretendAnswers(ScriptReleases):
    """Releases answer what they are told to."""

    def __init__(self, zoo: Zoo, answers: Mapping[str, Verdict], cache: Path) -> None:
        super().__init__("z3", CASE, TARGET, Limits(), zoo=zoo, cache=cache)
        self.answers = answers

    def row(self, release: Release, time_factor: float = 1.0) -> ReleaseRow:
        answer = Answer((self.answers.get(release.version, Verdict.SAT),), FINISHED)
        if release.version == "1.9.0" and time_factor == 1.0:
            answer = Answer((), Ending(EndingKind.TIMED_OUT))
        sight = shows(self.target, self.case, "z3", FakeLab({"z3": lambda _text: answer}))
        return ReleaseRow(release.version, sight.standing, sight.text)


def test_only_what_is_needed_is_installed(tmp_path: Path) -> None:
    bad = {f"1.{n}.0": Verdict.UNSAT for n in range(3, 11)}
    zoo = PretendZoo(["1.6.0"])
    with PretendAnswers(zoo, bad, tmp_path) as answers:
        found = bisect(answers, 1, install=True)
    assert (found.first_bad, found.last_good, found.last_bad, found.fixed_in) == (
        "1.3.0", "1.2.0", "1.10.0", "1.11.0",
    )  # fmt: skip
    assert len(zoo.added) < 10
    assert zoo.added[0] == ALL[-1]
    assert len(found.untried) == len(ALL) - len(zoo.added) - 1
    assert "come and gone" in sentence(found)


def test_the_release_that_is_said_to_show_it_is_asked_first(tmp_path: Path) -> None:
    """Nothing was installed as long as no release on the machine showed it."""
    bad = {"1.4.0": Verdict.UNSAT, "1.5.0": Verdict.UNSAT}
    zoo = PretendZoo(["1.15.0"])
    with PretendAnswers(zoo, bad, tmp_path) as answers:
        found = bisect(answers, 1, install=True, first="1.4")
    assert zoo.added[0] == "1.4.0"
    assert (found.last_good, found.first_bad, found.last_bad, found.fixed_in) == (
        "1.3.0", "1.4.0", "1.5.0", "1.6.0",
    )  # fmt: skip


def test_a_bad_build_of_an_old_version_is_searched_around(tmp_path: Path) -> None:
    bad = {"1.4.0": Verdict.UNSAT, "1.5.0": Verdict.UNSAT}
    build = ReleaseRow("z3=/build/z3 (1.5.0)", Standing.BAD, "", version="1.5.0")
    with PretendAnswers(PretendZoo(["1.15.0"]), bad, tmp_path) as answers:
        found = bisect(answers, 1, install=True, build=build)
    assert (found.last_good, found.first_bad, found.fixed_in) == ("1.3.0", "1.4.0", "1.6.0")


def test_who_is_late_is_asked_again(tmp_path: Path) -> None:
    with PretendAnswers(PretendZoo(["1.8.0", "1.9.0"]), {"1.9.0": Verdict.UNSAT}, tmp_path) as answers:
        assert bisect(answers, 2).first_bad == "1.9.0"


def test_all_releases_if_asked(tmp_path: Path) -> None:
    zoo = PretendZoo(["1.6.0"])
    with PretendAnswers(zoo, {"1.4.0": Verdict.UNSAT}, tmp_path) as answers:
        found = bisect(answers, 1, install=True, exhaustive=True)
    assert found.untried == ()
    assert [row.standing for row in found.rows if row.release == "1.0.0"] == [Standing.MISSING]
    assert (found.last_good, found.first_bad, found.fixed_in) == ("1.3.0", "1.4.0", "1.5.0")


def test_nothing_is_installed_unless_asked_or_if_nothing_is_bad(tmp_path: Path) -> None:
    zoo = PretendZoo(["1.6.0"])
    with PretendAnswers(zoo, {}, tmp_path) as answers:
        assert bisect(answers, 1).rows == bisect(answers, 1, install=True).rows
    assert zoo.added == []


def test_real_releases_answer_and_are_remembered(tmp_path: Path) -> None:
    zoo = Zoo()
    releases = usable_releases(zoo, BY_PRODUCT["z3"])[-1:]
    if not releases:
        pytest.skip("no z3")
    target = Target(Defect.SOLUTION_UNSOUNDNESS, truth=Verdict.UNSAT)
    with ScriptReleases("z3", CASE, target, Limits(seconds=20.0), zoo=zoo, cache=tmp_path) as answers:
        (row,) = answers.rows(releases, 2)
    assert (row.standing, row.said) == (Standing.BAD, "sat")
    assert len(list(tmp_path.iterdir())) == 1
    with ScriptReleases("z3", CASE, target, Limits(seconds=20.0), zoo=zoo, cache=tmp_path) as answers:
        assert answers.row(releases[0]) == row
        assert not answers._labs[0].usage.cpu


def test_old_escapes_are_no_defect(tmp_path: Path) -> None:
    """Releases from before the standard's strings answer another question; they are not called bad."""
    zoo = Zoo()
    old = [release for release in usable_releases(zoo, BY_PRODUCT["z3"]) if release.version == "4.8.7.0"]
    if not old:
        pytest.skip("no z3 4.8.7")
    script = r'(declare-const s String)(assert (= s "\x41"))(assert (= (str.len s) 4))(check-sat)'
    with ScriptReleases(
        "z3", Case(Mutant(script)), TARGET, Limits(seconds=20.0), zoo=zoo, cache=tmp_path
    ) as answers:
        row = answers.row(old[0])
    assert (row.standing, row.said) == (Standing.MISREADS, "unsat")
    assert not row.standing.decided


def test_a_cache_nobody_can_read_is_replaced(tmp_path: Path) -> None:
    with PretendAnswers(PretendZoo([]), {}, tmp_path) as answers:
        file = answers._cache._file
    file.write_text("{")
    with PretendAnswers(PretendZoo([]), {}, tmp_path) as answers:
        answers._cache.put("key", Answer((Verdict.SAT,), FINISHED))
    with PretendAnswers(PretendZoo([]), {}, tmp_path) as answers:
        kept = answers._cache.get("key", 1.0)
    assert kept is not None
    assert kept.verdicts == (Verdict.SAT,)
