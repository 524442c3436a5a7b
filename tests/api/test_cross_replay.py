"""Traces of one library on another: what that does not support is left out, and is no failure."""

from __future__ import annotations

from tests.api.conftest import Make

from falsum.api.cross_replay import adapt_trace, compared_verdicts, cross_replay
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import read_trace

# cvc5 takes only values for constant arrays; without t5 there is no t6, and the second check is another one.
CONSTANT_ARRAY = """# falsum trace 1
# solver: bitwuzla:rewrite-level=0
# theories: core bitvectors arrays
new
set-option rewrite-level 0
s1 = sort BitVec 8
s2 = sort Array s1 s1
t1 = const s1 x1
t2 = value s1 1
t3 = term bvult t1 t2
assert t3
check
-> sat
t5 = term const t1 as s2
t6 = term select t5 t2
t7 = term bvult t2 t6
assert t7
check
-> unsat
"""


def test_arguments_that_must_be_values(make: Make) -> None:
    trace = read_trace(CONSTANT_ARRAY)
    cvc5 = make("cvc5", Settings(seconds=10))
    result = cvc5.replay(adapt_trace(trace, cvc5))
    assert result.status is RunStatus.DONE, result.evidence
    assert result.skipped == 4
    assert compared_verdicts(trace, result.trace) == [("sat", "sat")]
    assert cross_replay(cvc5, RunResult(trace, RunStatus.DONE)) is None


def test_a_trace_with_options_in_its_name_is_one_of_the_same_product(make: Make) -> None:
    trace = read_trace(CONSTANT_ARRAY)
    assert adapt_trace(trace, make("bitwuzla")) is trace
    adapted = adapt_trace(trace, make("z3"))
    assert not any(line.word == "set-option" for line in adapted.lines)
