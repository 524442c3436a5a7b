"""Boolector's further functions make the same terms as those that users would call."""

from __future__ import annotations

import pytest
from tests.api.conftest import Make, library_named

from falsum.api.model.settings import Settings
from falsum.api.trace import read_trace
from falsum.api.traces.program import trace_to_program
from falsum.solvers.supervision.process import ProcessRunner


@pytest.mark.parametrize(
    ("term", "width", "function"),
    [
        ("bvnot t1", 6, "Dec"),
        ("bvneg t1", 6, "Inc"),
        ("bvadd t1 t2", 6, "Inc"),
        ("bvsub t1 t2", 6, "Inc"),
        ("bvxor t1 t2", 1, "Redxor"),
    ],
)
def test_another_function_makes_an_equal_term(term: str, width: int, function: str, make: Make) -> None:
    release = library_named("boolector").release
    assert release is not None
    text = f"new\ns1 = sort Bool\ns2 = sort BitVec {width}\nt1 = const s2 x\nt2 = const s2 y\n"
    text += f"t3 = term {term}\nt4 = term {term} #1\nt5 = term distinct t3 t4\nassert t5\ncheck\n"
    result = make("boolector", Settings(seconds=20)).replay(read_trace(text))
    assert result.verdicts == ("unsat",)
    with ProcessRunner() as runner:
        assert f".{function}(" in trace_to_program(result.trace, release, runner)
