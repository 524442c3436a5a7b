"""What explains an answer comes from the solver under test, with its history, where its options are on."""

from __future__ import annotations

import pytest
from tests.api.conftest import Make, library_named

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import read_trace
from falsum.api.traces.program import trace_to_program
from falsum.solvers.supervision.process import ProcessRunner

START = """# falsum trace 1
# solver: cvc5
new
set-option OPTION true
s1 = sort Bool
t1 = const s1 p
t2 = const s1 q
t3 = term not t1
t4 = term and t1 t2
t5 = term or t1 t2
push 1
assert t2
check
-> sat
pop 1
assert t4
"""
UNSAT = "assert t3\ncheck\n-> unsat\n"


@pytest.mark.parametrize(
    ("option", "lines"),
    [
        ("produce-proofs", f"{UNSAT}extra proof\n"),
        ("produce-difficulty", f"{UNSAT}extra difficulty\n"),
        ("produce-learned-literals", "check\n-> sat\nextra learned INPUT\n"),
        ("produce-interpolants", "extra interpolant-here t5\n"),
        ("produce-abducts", "extra abduct-here t5\n"),
    ],
)
def test_no_other_solver_is_made(option: str, lines: str) -> None:
    release = library_named("cvc5").release
    assert release is not None
    trace = read_trace(START.replace("OPTION", option) + lines)
    with ProcessRunner() as runner:
        assert trace_to_program(trace, release, runner).count("Solver(") == 1
        other = trace_to_program(
            read_trace(START.replace("OPTION", "produce-models") + lines), release, runner
        )
    assert other.count("Solver(") == 2 or "-here" in lines


def test_runs_ask_the_solver_under_test(make: Make) -> None:
    """Interpolants and cores exclude each other, so no run has both; none of them is refused."""
    settings = Settings(theories=("core", "ints", "uf"), options=0, compare=0, seconds=2.0)
    fuzzer = make("cvc5", settings)
    results = [fuzzer.run(number) for number in range(80)]
    set_ = [{line.args[0] for line in each.trace.lines if line.word == "set-option"} for each in results]
    for option in ("produce-interpolants", "produce-abducts", "produce-proofs", "produce-difficulty"):
        assert any(option in each for each in set_)
    assert not [each for each in set_ if each >= {"produce-interpolants", "produce-unsat-cores"}]
    assert not [r.evidence for r in results if r.status is RunStatus.REFUSED and "sygus" in r.evidence]
    assert {line.args[0] for each in results for line in each.trace.lines if line.word == "extra"} & {
        "interpolant-here",
        "abduct-here",
    }
