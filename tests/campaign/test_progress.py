"""What people and scripts see of a campaign."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import msgspec
from rich.console import Console
from tests.store.test_store import finding_of

from falsum.campaign.fuzz.progress import FuzzState
from falsum.campaign.fuzz.strategy_rows import StrategyRow
from falsum.campaign.library.batch import LibraryTally
from falsum.campaign.library.progress import LibraryState
from falsum.campaign.outcome import KILLED
from falsum.campaign.progress import (
    INTERRUPTED,
    TIMED,
    JsonWatcher,
    LiveWatcher,
    PlainWatcher,
    State,
    Status,
    detail_table,
    duration_text,
    summary_table,
)
from falsum.campaign.tally import FuzzTally
from falsum.store.finding_folder import name_of
from falsum.store.records import BatchRecord, FaultRecord, TraceRecord

STATUS = Status(65.2, 1.0, 2, {"crash": 2}, 5, None, 60.0)
FUZZ = FuzzState(
    STATUS,
    FuzzTally(
        mutants=2703,
        abandoned=19,
        said={"z3": {"sat": 2000, "timed out": 3}, "cvc5": {"unsat": 700}},
        solver_cpu=99.0,
        solver_seconds=100.0,
        timeout_seconds=14.0,
    ),
    seeds=309,
    filtered=4,
)
ERRORS = {f"refused: no {letter}": 1 for letter in "abcdefghijkl"}
LIBRARY = LibraryState(
    STATUS,
    {"z3": LibraryTally(30, 600, {"done": 29, "timed out": 1}, {"sat": 9}, ERRORS), "yices": LibraryTally()},
)


def printed(state: State, ended: str = TIMED) -> str:
    stream = io.StringIO()
    Console(file=stream, width=120).print(summary_table(state, ended))
    return stream.getvalue()


def test_lines() -> None:
    stream = io.StringIO()
    watcher = PlainWatcher(stream)
    watcher.begin(FUZZ)
    watcher.look(FUZZ)  # too soon
    watcher._last -= 10
    watcher.look(FUZZ)
    folder = Path("findings", name_of(finding_of()))
    digest = finding_of().digest
    watcher.finding(finding_of(), folder)
    watcher.triaged(folder, "crash: z3")
    watcher.seed("a.smt2", "decided by no solver")
    watcher.seed("b.smt2", "unreadable: why")
    batch = BatchRecord(3, "opfuzz", "a.smt2", 0, 0.0, "done", {})
    watcher.fault(batch, FaultRecord(1, "Traceback\n  somewhere\nZeroDivisionError\n"))
    watcher.fault(
        BatchRecord(3, "opfuzz", "a.smt2", 0, 0.0, KILLED, {}),
        FaultRecord(-1, "the worker ended with status -9"),
    )
    watcher.end(FUZZ, TIMED)
    watcher.end(LIBRARY, INTERRUPTED)
    line = (
        "2703 mutants (41.5/s); 2000 sat, 700 unsat, 3 timed out; 99% of CPU time inside solvers, "
        "14% of solver time lost to time-outs; 2 findings: 2 crash"
    )
    assert stream.getvalue().splitlines() == [
        "falsum: 309 seeds; 2 jobs; 0:00 left",
        f"falsum: 1:05: {line}; 0:00 left",
        f"falsum: found {digest}: crash in z3@4.8; findings/crash-z3@4.8-{digest}",
        f"falsum: triaged {digest}: crash: z3",
        "falsum: seed left out: b.smt2: unreadable: why",
        "falsum: internal error in batch 3 (opfuzz, a.smt2): ZeroDivisionError",
        "falsum: batch 3 is given up, killed time and again: the worker ended with status -9",
        f"falsum: finished after 1:05: {line}",
        (
            "falsum: interrupted after 1:05: 30 runs (0.5/s); 9 sat, 0 unsat, 0 unknown, 1 timed out; "
            "2 findings: 2 crash"
        ),
    ]


def test_what_was_not_looked_at_is_said() -> None:
    assert "not looked at" not in printed(FUZZ)
    tally = msgspec.structs.replace(FUZZ.tally, models_left=3)
    text = printed(replace(FUZZ, tally=tally))
    assert re.search(r"not looked at +│ models of 3 scripts after check 6, but for the last one", text)


def test_the_table_at_the_end() -> None:
    text = printed(FUZZ)
    assert "falsum fuzz: time limit reached" in text
    assert "2703 (41.5/s)" in text
    assert "309, 4 left out (falsum summary says why)" in text
    assert "internal errors" not in text
    assert "14% of solver time lost to time-outs; 19 mutants given up" in text
    assert "2 crash" in text
    libraries = printed(LIBRARY)
    assert "30 runs: 29 done, 1 timed out; 20 calls per run" in libraries
    assert "1 × refused: no a" in libraries
    assert "and 2 other messages" in libraries
    assert "0 runs: none; 0 calls per run" in libraries


def test_the_table_of_strategies_fits_a_terminal() -> None:
    tally = FuzzTally(mutants=123456, repeated=12345, decided=123456, solver_cpu=12345.6, own_cpu=1234.5)
    tally.said = {"z3@4.8.12": {"rejected": 1234, "timed out": 1234}}
    state = replace(FUZZ, rows={"valfuzz": StrategyRow(tally, {"a"})})
    table = detail_table(state)
    assert table is not None
    stream = io.StringIO()
    Console(file=stream, width=80).print(table)
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    (row,) = [line for line in lines if "valfuzz" in line]
    assert re.findall(r"[\w.@]+", row) == (
        "valfuzz 123456 12345 1234 z3@4.8.12 123456 1234 12345.6 1234.5 1".split()
    )
    assert detail_table(LIBRARY) is None


def test_events() -> None:
    out = io.StringIO()
    watcher = JsonWatcher(out, io.StringIO())
    watcher.begin(FUZZ)
    trace = TraceRecord("z3", "4.8", "", "new\ncheck\n", "check\n")
    watcher.finding(finding_of(), Path("findings/one"))
    watcher.finding(msgspec.structs.replace(finding_of(), trace=trace), Path("findings/two"))
    watcher.end(LIBRARY, TIMED)
    begin, script, library, end = map(json.loads, out.getvalue().splitlines())
    assert (begin["event"], begin["mutants"], begin["findings"]) == ("begin", 2703, {"crash": 2})
    assert (script["event"], script["seeds"], script["folder"]) == ("finding", ["s.smt2"], "findings/one")
    assert "trace" not in script
    assert (library["solver"], library["trace"]) == ("z3", "check\n")
    assert (end["event"], end["ended"], end["runs"], end["findings"]) == ("end", TIMED, 30, 5)
    assert end["solvers"]["z3"]["endings"] == {"done": 29, "timed out": 1}


def test_a_live_panel_leaves_the_terminal_as_it_was() -> None:
    stream = io.StringIO()
    watcher = LiveWatcher(stream)
    for state in (FUZZ, LIBRARY):
        watcher.begin(state)
        watcher.end(state, TIMED)
    watcher.close()
    assert "finished after 1:05: 2703 mutants" in stream.getvalue()


def test_durations() -> None:
    assert [duration_text(seconds) for seconds in (0.4, 59.6, 3599, 3661)] == [
        "0:00",
        "1:00",
        "59:59",
        "1:01:01",
    ]


def test_nothing_answered_is_not_nothing_wrong() -> None:
    silent = FuzzState(replace(STATUS, kinds={}), FuzzTally(mutants=1, said={"z3": {"rejected": 1}}), 1, 0)
    assert not silent.answered
    assert "nothing answered" in printed(silent)
    assert FUZZ.answered
    assert LIBRARY.answered
    assert not LibraryState(STATUS, {"z3": LibraryTally(1, 1, {"refused": 1})}).answered


def test_internal_errors_are_shown() -> None:
    assert "internal errors" in printed(FuzzState(replace(STATUS, faults=2), FuzzTally(), 1, 0))


def test_the_panel_shows_every_answer_that_was_counted() -> None:
    state = FuzzState(STATUS, FuzzTally(said={"z3": {"sat": 3, "out of memory": 2, "flooded": 1}}), 1, 0)
    shown = dict(state.panel())["answers"]
    assert shown == (
        "sat 3   unsat 0   unknown 0   timed out 0   rejected 0   crashed 0   flooded 1   out of memory 2"
    )


def test_one_is_singular() -> None:
    one = replace(STATUS, kinds={"crash": 1}, jobs=1, count=2, seconds=None)
    stream = io.StringIO()
    PlainWatcher(stream).begin(FuzzState(one, FuzzTally(mutants=1), 1, 0))
    assert stream.getvalue() == "falsum: 1 seed; 1 job; 1 mutant left\n"
    assert one.found == "1 finding: 1 crash"
