"""Releases of a product replay the trace of a finding."""

from __future__ import annotations

from tests.api.conftest import library_named

from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import read_trace
from falsum.campaign.triage.bisection import bisect
from falsum.campaign.triage.traces.releases import TraceReleases, fuzzer_for
from falsum.defects.targets.standing import Standing
from falsum.solvers.limits import Limits
from falsum.solvers.zoo import Zoo

LIMITS = Limits(seconds=5.0)
TRACE = """# falsum trace 1
# solver: z3
# theories: core bitvectors strings
new
s1 = sort Bool
t1 = const s1 x1
assert t1
check
-> sat
"""


def rows(text: str, failure: RunResult) -> dict[str, Standing]:
    releases = TraceReleases("z3", read_trace(text), failure, LIMITS, Zoo())
    assert len(releases.releases()) > 1
    found = bisect(releases, 1)
    assert found.target.oracle.startswith("api-")
    assert found.target.message == failure.signature
    return {row.release: row.standing for row in found.rows}


def test_releases_without_the_failure_are_good() -> None:
    library_named("z3")
    trace = read_trace(TRACE)
    crash = RunResult(trace, RunStatus.CRASHED, "check", "signal 11: somewhere.cpp")
    assert set(rows(TRACE, crash).values()) == {Standing.GOOD}


def test_a_release_that_lacks_a_call_is_not_good() -> None:
    """Old releases have no strings of the standard, so the line is left out; newer ones are good."""
    solver = library_named("z3")
    text = TRACE + "s2 = sort String\nt2 = const s2 x2\nt3 = term str.to_code t2\n"
    crash = RunResult(read_trace(text), RunStatus.CRASHED, "check", "signal 11: somewhere.cpp")
    found = rows(text, crash)
    assert found[solver.version] is Standing.GOOD
    assert set(found.values()) <= {Standing.GOOD, Standing.UNKNOWN, Standing.REJECTS}


def test_a_failure_that_every_release_shows_is_bad_everywhere() -> None:
    """A failed check: the trace is about an answer that another one contradicts."""
    solver = library_named("z3")
    text = TRACE.replace("t1 = const s1 x1", "t1 = const s1 x1\nt2 = term not t1").replace(
        "assert t1", "assert t2"
    )
    with fuzzer_for(solver, LIMITS, Zoo()) as fuzzer:
        result = fuzzer.replay(read_trace(text))
    assert result.status is RunStatus.DONE
    assert set(rows(text, result).values()) == {Standing.BAD}  # all of them end in this way
