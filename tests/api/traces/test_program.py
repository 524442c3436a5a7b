"""Stand-alone programs: what is left out, and where answers stand."""

from __future__ import annotations

from falsum.api.trace import read_trace
from falsum.api.traces.program import trace_to_program
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

HEAD = "# falsum trace 1\n# solver: z3\nnew\n"


def program(text: str) -> str:
    release = resolve("z3", Zoo()).release
    assert release is not None
    with ProcessRunner() as runner:
        return trace_to_program(read_trace(HEAD + text), release, runner)


def test_what_a_library_refuses_and_the_binding_expects_is_left_out() -> None:
    text = program("s1 = sort Bool\nt1 = const s1 x\nassert t1\ncheck\n-> sat\nextra learned\n")
    assert ".units(" in text
    assert ".trail(" not in text  # a solver that z3 makes itself has none


def test_a_verdict_stands_beside_the_check_that_gave_it() -> None:
    text = program(
        "s1 = sort Bool\nt1 = const s1 x\nt2 = const s1 y\nassert t1\n"
        "check\n-> sat\nextra soft t1 t2\n-> sat\n"
    )
    answered = [row for row in text.splitlines() if row.endswith("# sat")]
    assert len(answered) == 2
    assert all(".check(" in row for row in answered)
