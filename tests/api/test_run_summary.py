"""What runs reach: hardly any asserts only what is true or false by itself, or the same twice."""

from __future__ import annotations

import pytest
from tests.api.conftest import Make

from falsum.api.model.settings import Settings
from falsum.api.run_summary import summarize
from falsum.api.trace import read_trace
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App
from falsum.smtlib.walk import subterms

TRACE = """# falsum trace 1
# theories: core bitvectors
new
set-option produce-models true
s1 = sort Bool
t1 = const s1 p
t2 = const s1 q
t3 = term and t1 t2
t4 = term and t1 t2
t5 = value s1 true
push 1
assert t3
assert t4
pop 1
assert t5
check
-> sat
"""


def test_symbols_and_different_formulas_are_counted(make: Make) -> None:
    trace = read_trace(TRACE)
    summary = summarize(trace, make("bitwuzla").mirror_after(trace))
    assert summary.theories == ("core", "bitvectors")
    assert summary.options == ("produce-models",)
    assert (summary.symbols, summary.assertions, summary.distinct, summary.checks) == (2, 3, 2, 1)
    assert "2 symbols in 2 formulas, asserted 3 times; 1 checks" in str(summary)


@pytest.mark.parametrize("name", ["bitwuzla", "z3"])
def test_runs_are_not_weak(name: str, make: Make) -> None:
    fuzzer = make(name, Settings(options=0, compare=0, seconds=2.0))
    traces = [fuzzer.run(number).trace for number in range(100)]
    found = [summarize(trace, fuzzer.mirror_after(trace)) for trace in traces]
    assert sum(not each.symbols for each in found) <= 5
    assert sum(each.distinct for each in found) > 0.97 * sum(each.assertions for each in found)


def test_linear_runs_have_linear_terms(make: Make) -> None:
    theories = ("core", "ints", "reals")
    fuzzer = make("z3", Settings(theories=theories, linear=True, options=0, compare=0))
    linear = logic_of("LIRA")
    logics = set()
    for number in range(30):
        trace = fuzzer.run(number).trace
        mirror = fuzzer.mirror_after(trace)
        for entry in mirror.terms.values():
            for part in subterms(entry.term):
                if isinstance(part, App) and isinstance(part.head.symbol, Operator):
                    assert linear.allows(part.head.symbol, part.args), entry.name
        logics.add(mirror.logic)
    assert logics & {"QF_LIA", "QF_LRA", "QF_LIRA"}
    assert not any("N" in logic for logic in logics)
