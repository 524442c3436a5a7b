"""Traces: what is written reads back the same, and nothing else reads."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from falsum.api.trace import Line, Reply, Step, Trace, from_lines, read_line, read_trace
from falsum.errors import UsageError

SLOW = [HealthCheck.too_slow]  # the machine may be busy
NAMES = st.integers(1, 99).map(lambda n: f"t{n}")
WORDS = st.sampled_from(["term", "assert", "check", "set-option", "get-value"])
LINES = st.builds(
    Line,
    WORDS,
    st.lists(st.one_of(NAMES, st.sampled_from(["bvadd", "extract[3,0]", "=>", "fp.isNaN"]))).map(tuple),
    st.lists(NAMES, max_size=2).map(tuple),
    st.integers(0, 1000),
)
VALUES = st.builds(
    lambda text, number: Line("value", ("s1", text), ("t1",), number),
    st.sampled_from(["#b01", "#x0f", "15", "-3", "1/3", '"a b"', '"a #5"', "(fp #b0 #b01 #b1)", '""']),
    st.integers(0, 9),
)
REPLIES = st.builds(Reply, st.sampled_from(["sat", "#b0\t#b1", "RuntimeError no: such"]), st.booleans())


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(st.one_of(LINES, VALUES))
def test_a_line_reads_back(line: Line) -> None:
    assert read_line(str(line)) == line


@settings(max_examples=30, deadline=None, suppress_health_check=SLOW)
@given(st.lists(st.builds(Step, LINES, st.one_of(st.just(Reply()), REPLIES)), max_size=8))
def test_a_trace_reads_back(steps: list[Step]) -> None:
    trace = Trace(tuple(steps), {"solver": "z3@5.4", "rng": "7"})
    assert read_trace(str(trace)) == trace


def test_a_reply_belongs_to_the_line_before() -> None:
    trace = read_trace("check\n-> sat\nget-core\n-! RuntimeError no core\n")
    assert [step.reply for step in trace.steps] == [
        Reply("sat"),
        Reply("RuntimeError no core", is_error=True),
    ]


def test_a_trace_of_lines_has_no_replies() -> None:
    assert str(from_lines([Line("check")])) == "# falsum trace 1\ncheck\n"


@pytest.mark.parametrize("text", ["-> sat\n", "check\nT1 = = 3\n", "(check-sat)\n"])
def test_what_is_no_trace_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UsageError, match=r"line \d"):
        read_trace(text)
