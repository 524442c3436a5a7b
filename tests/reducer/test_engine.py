"""The reduce: smaller at every step, still true, the same for any number of jobs, honest about flicker."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.reducer.scripts import SCRIPTS

from falsum.errors import UsageError
from falsum.reducer import Budget, Progress, StopReason, reduce
from falsum.reducer.edits import Edit
from falsum.reducer.measure import Measure, Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL, Pass
from falsum.smtlib import Script, print_script, read_script


def wide(count: int) -> str:
    declared = "".join(f"(declare-fun v{n} () Int)" for n in range(count))
    asserted = "".join(f"(assert (< (+ v{n} {n}) (* v{n} 3)))" for n in range(count))
    return f"{declared}{asserted}(check-sat)"


@pytest.mark.parametrize("name", SCRIPTS)
def test_everything_goes_if_anything_will_do(name: str) -> None:
    assert reduce(read_script(SCRIPTS[name]), lambda _: True).text == ""


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("word", ["(check-sat)", "(assert "])
def test_what_is_kept_is_small(name: str, word: str) -> None:
    result = reduce(read_script(SCRIPTS[name]), lambda text: word in text)
    assert result.text in ("(check-sat)\n", "(assert true)\n", "(assert false)\n")
    assert result.stop is StopReason.SMALLEST
    assert result.is_confirmed
    assert not result.is_flaky


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_step_is_smaller_and_well_sorted(name: str) -> None:
    """The predicate keeps some operator, so that passes have to work around it."""
    words = ["(+ ", "(or ", "(g ", "concat", "fp.lt", "str.++", "tail", "match", "seq.++", "exists"]
    accepted: list[Measure] = []

    def predicate(text: str) -> bool:
        script = read_script(text)
        assert print_script(script) == text
        kept = [word for word in words if word in SCRIPTS[name]]
        if all(word in text for word in kept):
            accepted.append(Measurer().measure(script))
            return True
        return False

    result = reduce(read_script(SCRIPTS[name]), predicate)
    assert result.is_confirmed
    steps = accepted[:-1]  # the last one is the confirmation
    assert all(later < earlier for earlier, later in itertools.pairwise(steps))


QUALITY = [
    (wide(200), "(+ v137", 40, "(assert (< (+ v137 0) 0))"),
    (SCRIPTS["strings"], "str.indexof", 60, '(assert (= 0 (str.indexof "" "" 0)))'),
    (SCRIPTS["bitvectors"], "concat", 80, "(concat #b0 #b0)"),
    (SCRIPTS["datatypes"], "(tail ", 80, "tail"),
    (SCRIPTS["shadows"], "exists", 60, "(exists ((a Int)) true)"),
]


@pytest.mark.parametrize(("text", "word", "tests", "found"), QUALITY)
def test_known_findings_become_this(text: str, word: str, tests: int, found: str) -> None:
    result = reduce(read_script(text), lambda candidate: word in candidate and "(assert" in candidate)
    assert found in result.text
    assert result.tests <= tests


def test_many_assertions_take_few_tests() -> None:
    result = reduce(read_script(wide(1000)), lambda text: "v777" in text and "v123 3" in text)
    assert len(result.text) < 160
    assert result.tests < 100


def test_the_same_result_for_any_number_of_jobs() -> None:
    def kept(text: str) -> bool:
        return "v7 " in text and "v11 3" in text and "check-sat" in text

    alone, three = (reduce(read_script(wide(30)), kept, jobs=jobs) for jobs in (1, 3))
    assert alone.text == three.text
    assert three.tests >= alone.tests


@pytest.mark.parametrize("jobs", [1, 2])
def test_as_many_tests_run_at_once_as_there_are_jobs(jobs: int) -> None:
    lock, running, most = threading.Lock(), 0, 0
    threads: set[str] = set()

    def predicate(text: str) -> bool:
        nonlocal running, most
        threads.add(threading.current_thread().name)
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return "v3 " in text

    reduce(read_script(wide(8)), predicate, jobs=jobs)
    assert most == jobs
    assert (threads == {threading.main_thread().name}) == (jobs == 1)


def test_a_script_that_does_not_show_it_is_refused() -> None:
    with pytest.raises(UsageError, match="predicate does not hold"):
        reduce(read_script("(check-sat)"), lambda _: False)


def test_budget_of_tests() -> None:
    result = reduce(read_script(wide(50)), lambda text: text.count("assert") > 7, budget=Budget(tests=5))
    assert result.stop is StopReason.TESTS
    assert result.tests <= 6
    assert len(result.text) < len(wide(50))


def test_budget_of_seconds() -> None:
    result = reduce(read_script(wide(5)), lambda _: True, budget=Budget(seconds=-1.0))
    assert result.stop is StopReason.SECONDS


def test_an_interrupted_reduction_keeps_the_best() -> None:
    calls = itertools.count()

    def predicate(text: str) -> bool:
        if next(calls) == 6:
            raise KeyboardInterrupt
        return text.count("assert") > 7

    result = reduce(read_script(wide(50)), predicate)
    assert result.stop is StopReason.INTERRUPTED
    assert 7 < result.text.count("assert") < 50
    assert not result.is_flaky


def test_a_flaky_predicate_is_reported_and_an_earlier_script_returned() -> None:
    """The predicate holds for anything the first time it is asked, but small scripts never again."""
    seen: set[str] = set()

    def predicate(text: str) -> bool:
        first = text not in seen
        seen.add(text)
        return first or text.count("assert") >= 50

    result = reduce(read_script(wide(50)), predicate)
    assert result.is_flaky
    assert result.is_confirmed
    assert result.text.count("assert") == 50


def test_confirmation_may_be_stricter() -> None:
    script = read_script(wide(20))
    result = reduce(script, lambda text: "v3 " in text, confirm=lambda text: "v3 " in text and len(text) > 60)
    assert result.is_flaky
    assert result.is_confirmed
    assert len(result.text) > 60


def test_statistics_and_progress_are_told() -> None:
    told: list[Progress] = []
    script = read_script(wide(5))
    result = reduce(script, lambda text: "v3" in text, progress=told.append)
    assert result.steps > 1
    assert sum(one.steps for one in result.passes) == result.steps
    assert sum(one.tests for one in result.passes) == result.tests - 2  # the first and the last one
    measurer = Measurer()
    lost = measurer.weight(script) - measurer.weight(read_script(result.text))
    assert sum(one.weight for one in result.passes) == lost
    assert (told[0].tests, told[0].length) == (1, result.length_before)
    assert {one.at for one in told} >= {one.name for one in result.passes if one.steps}
    for before, after in itertools.pairwise(told):
        assert before.tests <= after.tests < result.tests
        assert before.length >= after.length >= len(result.text)


@dataclass(frozen=True)
class Watched:
    """A pass that remembers the scripts it was run on."""

    one: Pass
    seen: list[Script]

    @property
    def name(self) -> str:
        return self.one.name

    def edits(self, outline: Outline) -> Iterator[Edit]:
        self.seen.append(outline.script)
        return self.one.edits(outline)


def test_implicit_conversions_are_read_again() -> None:
    """With 0 for y in `(+ x y)` the text has a real number, and no conversion any more."""
    text = "(declare-fun x () Real)(declare-fun y () Int)(assert (= (+ x y) 1))(check-sat)"
    seen: list[Script] = []
    passes = [Watched(one, seen) for one in ALL]

    def kept(candidate: str) -> bool:
        return "(+ x " in candidate and "Real" in candidate and "0.0" not in candidate

    assert "(+ x 0)" in reduce(read_script(text), kept, passes=passes).text
    assert all(read_script(print_script(script)) == script for script in seen)
