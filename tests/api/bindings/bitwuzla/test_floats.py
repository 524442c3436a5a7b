"""Floats of Bitwuzla made from ratios are those made from bits, and further kinds make the same terms."""

from __future__ import annotations

import pytest
from tests.api.conftest import Make, library_named

from falsum.api.bindings.bitwuzla.floats import as_ratio
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import Trace, read_trace
from falsum.api.traces.program import trace_to_program
from falsum.solvers.supervision.process import ProcessRunner

FLOATS = "new\ns1 = sort Bool\ns2 = sort FloatingPoint 5 11\n"
BITS = "new\ns1 = sort Bool\ns2 = sort BitVec 6\nt1 = const s2 x\nt2 = const s2 y\n"


def program_of(trace: Trace) -> str:
    release = library_named("bitwuzla").release
    assert release is not None
    with ProcessRunner() as runner:
        return trace_to_program(trace, release, runner)


@pytest.mark.parametrize(
    ("parts", "ratio"),
    [
        ("0 01111 0000000000", (1 << 10, 1 << 10)),
        ("1 10000 1000000000", (-(3 << 9), 1 << 9)),
        ("0 00000 0000000001", (1, 1 << 24)),
        ("0 11110 1111111111", (2047 << 5, 1)),
        ("1 00001 0000000000", (-1024, 1 << 24)),
        ("0 00000 0000000000", None),
        ("1 00000 0000000000", None),
        ("0 11111 0000000000", None),
        ("0 11111 1000000000", None),
        ("0 011111111111 1", None),
    ],
)
def test_ratios_are_exact(parts: str, ratio: tuple[int, int] | None) -> None:
    assert as_ratio(parts.split()) == ratio


@pytest.mark.parametrize("exponent", ["00000", "00001", "01111", "10110", "11110"])
def test_a_ratio_makes_the_float(exponent: str, make: Make) -> None:
    value = f"(fp #b1 #b{exponent} #b0110000011)"
    text = f"{FLOATS}t1 = value s2 {value}\nt2 = value s2 {value} #1\nt3 = term distinct t1 t2\n"
    result = make("bitwuzla", Settings(seconds=20)).replay(read_trace(f"{text}assert t3\ncheck\n"))
    assert result.status is RunStatus.DONE, result.evidence
    assert result.verdicts == ("unsat",)
    assert "RNE" in program_of(result.trace)


@pytest.mark.parametrize(
    ("term", "kind"), [("bvadd t1 t2", "BV_INC"), ("bvsub t1 t2", "BV_INC"), ("bvnot t1", "BV_DEC")]
)
def test_kinds_without_an_operator_make_equal_terms(term: str, kind: str, make: Make) -> None:
    text = f"{BITS}t3 = term {term}\nt4 = term {term} #1\nt5 = term distinct t3 t4\nassert t5\ncheck\n"
    result = make("bitwuzla", Settings(seconds=20)).replay(read_trace(text))
    assert result.verdicts == ("unsat",)
    assert kind in program_of(result.trace)
