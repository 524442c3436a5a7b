"""Yices' further functions make the same terms as those that users would call."""

from __future__ import annotations

import pytest
from tests.api.conftest import Make, library_named

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import Trace, read_trace
from falsum.api.traces.program import trace_to_program
from falsum.solvers.supervision.process import ProcessRunner

INPUTS = """
new
s1 = sort Bool
s2 = sort BitVec 6
s3 = sort Int
s4 = sort Real
s5 = declare-sort U!s5
s6 = sort -> s3 s4 s1 s2
s7 = sort Array s2 s3
t1 = const s1 p1
t2 = const s1 p2
t3 = const s1 p3
t4 = const s2 a
t5 = const s2 b
t6 = const s2 c
t7 = const s3 x
t8 = const s3 y
t9 = const s4 r
t10 = const s4 q
t11 = const s5 u
t12 = const s5 v
t13 = const s6 f
t14 = const s7 m
t20 = value s3 3
"""
CALLS = [
    ("and t1 t2", "and2"),
    ("and t1 t2 t3", "and3"),
    ("or t1 t2", "or2"),
    ("or t1 t2 t3", "or3"),
    ("xor t1 t2", "xor2"),
    ("xor t1 t2 t3", "xor3"),
    ("+ t7 t8", "add"),
    ("* t20 t7", "mul"),
    ("bvadd t4 t5", "bvadd"),
    ("bvmul t4 t5", "bvmul"),
    ("bvmul t4 t4", "bvsquare"),
    ("bvand t4 t5", "bvand2"),
    ("bvand t4 t5 t6", "bvand3"),
    ("bvor t4 t5", "bvor2"),
    ("bvor t4 t5 t6", "bvor3"),
    ("bvxor t4 t5", "bvxor2"),
    ("bvxor t4 t5 t6", "bvxor3"),
    ("concat t4 t5", "bvconcat2"),
    ("<= t9 t10", "arith_leq0_atom"),
    ("< t7 t8", "arith_lt0_atom"),
    (">= t7 t8", "arith_geq0_atom"),
    ("> t9 t10", "arith_gt0_atom"),
    ("= t1 t2", "iff"),
    ("= t4 t5", "bveq_atom"),
    ("= t7 t8", "arith_eq0_atom"),
    ("= t11 t12", "eq"),
    ("distinct t4 t5", "bvneq_atom"),
    ("distinct t9 t10", "arith_neq0_atom"),
    ("distinct t11 t12", "neq"),
    ("apply t13 t7 t9 t1", "application3"),
    ("select t14 t4", "application1"),
    ("store t14 t4 t7", "update1"),
    ("to_int t9", "ceil"),
    ("rotate_left[4] t4", "shift_left0"),
    ("rotate_right[1] t4", "shift_right1"),
    ("sign_extend[3] t4", "ashift_right"),
    ("extract[4,2] t4", "bvarray"),
]
EVEN_CALLS = [
    ("bvmul t4 t4", "bvpower"),
    ("= t7 t8", "arith_eq_atom"),
    ("distinct t9 t10", "arith_neq_atom"),
]


def program_of(trace: Trace) -> str:
    release = library_named("yices").release
    assert release is not None
    with ProcessRunner() as runner:
        return trace_to_program(trace, release, runner)


@pytest.mark.parametrize(
    ("variant", "term", "function"),
    [(1, *call) for call in CALLS] + [(4, *call) for call in EVEN_CALLS],
)
def test_another_function_makes_an_equal_term(variant: int, term: str, function: str, make: Make) -> None:
    text = f"{INPUTS}t15 = term {term}\nt16 = term {term} #{variant}\n"
    text += "t17 = term distinct t15 t16\nassert t17\ncheck\n"
    result = make("yices", Settings(seconds=20)).replay(read_trace(text))
    assert result.status is RunStatus.DONE, result.evidence
    assert result.verdicts == ("unsat",)
    assert not result.skipped
    assert f"yices_{function}(" in program_of(result.trace)


@pytest.mark.parametrize(("text", "function"), [("0", "zero"), ("-7", "int64"), ("2/3", "rational64")])
def test_numbers_by_other_functions(text: str, function: str, make: Make) -> None:
    sort = "Real" if "/" in text else "Int"
    trace = f"new\ns1 = sort Bool\ns2 = sort {sort}\nt1 = value s2 {text}\nt2 = value s2 {text} #1\n"
    trace += "t3 = const s2 x\nt4 = term = t3 t1\nt5 = term distinct t3 t2\nassert t4\nassert t5\ncheck\n"
    result = make("yices", Settings(seconds=20)).replay(read_trace(trace))
    assert result.verdicts == ("unsat",)
    assert f"yices_{function}(" in program_of(result.trace)
