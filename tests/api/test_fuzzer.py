"""Planted faults: wrong answers, exceptions, crashes, hangs and leaks are found; a correct library passes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.api.conftest import Make

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import Line, from_lines, read_line, read_trace

FAULTS = {
    "wrong sat": (
        """
def check(self, assumptions):
    said = super().check(assumptions)
    return "sat" if said == "unsat" and not assumptions else said
def get_value(self, term):
    return "#b" + "0" * term.sort().bv_size() if term.sort().is_bv() else "false"
""",
        RunStatus.CHECK_FAILED,
        {"model", "verdict"},
    ),
    "wrong values": (
        """
def get_value(self, term):
    said = super().get_value(term)
    return {"true": "false", "false": "true"}.get(said, said)
""",
        RunStatus.CHECK_FAILED,
        {"model", "value"},
    ),
    "values that change": (
        """
def get_value(self, term):
    self.asked = getattr(self, "asked", 0) + 1
    if not term.sort().is_bv():
        return super().get_value(term)
    return "#b" + "01"[self.asked % 2] * term.sort().bv_size()
""",
        RunStatus.CHECK_FAILED,
        {"revised", "model", "value"},
    ),
    "says unsat to what is sat": (
        """
def check(self, assumptions):
    said = super().check(assumptions)
    return "unsat" if said == "sat" and not assumptions else said
def get_core(self):
    return self.assertions()
""",
        RunStatus.CHECK_FAILED,
        {"core", "one-shot", "verdict"},
    ),
    "assumptions too few": (
        """
def get_unsat_assumptions(self):
    return []
""",
        RunStatus.CHECK_FAILED,
        {"assumptions"},
    ),
    "another sort": (
        """
def sort_of(self, term):
    return "(_ BitVec 7)"
""",
        RunStatus.CHECK_FAILED,
        {"sort"},
    ),
    "prints another term": (
        """
def print(self, term):
    said = super().print(term)
    return "(not " + said + ")" if term.sort().is_bool() else said
""",
        RunStatus.CHECK_FAILED,
        {"print", "equal"},
    ),
    "simplifies to something else": (
        """
def extra(self, name, args):
    made = super().extra(name, args)
    if name != "simplify-term":
        return made
    return self.manager.mk_term(real.Kind.NOT, [made]) if made.sort().is_bool() else made
""",
        RunStatus.CHECK_FAILED,
        {"equal"},
    ),
    "interpolant too strong": (
        """
def extra(self, name, args):
    return "false" if name == "interpolant" else super().extra(name, args)
""",
        RunStatus.CHECK_FAILED,
        {"interpolant"},
    ),
    "core too small": (
        """
def get_core(self):
    return super().get_core()[:0]
""",
        RunStatus.CHECK_FAILED,
        {"core"},
    ),
    "throws": (
        """
def push(self, levels):
    raise RuntimeError("out of luck")
""",
        RunStatus.RAISED,
        {"push"},
    ),
    "crashes": (
        """
def assert_(self, term):
    super().assert_(term)
    if len(self.assertions()) > 1:
        ctypes.string_at(0)
""",
        RunStatus.CRASHED,
        {"assert"},
    ),
    "hangs": (
        """
def check(self, assumptions):
    time.sleep(60)
""",
        RunStatus.TIMED_OUT,
        {"check"},
    ),
    "leaks": (
        """
def assert_(self, term):
    self.hoard = getattr(self, "hoard", []) + [bytearray(b"x" * (80 << 20))]
    time.sleep(0.4)
""",
        RunStatus.OUT_OF_MEMORY,
        {"assert", "check"},
    ),
}


# Complaints that another solver's word is needed for.
ASKING = {"core", "equal", "print", "interpolant", "abduct", "optimum"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_found_again(fault: str, make: Make, plant: Callable[[str, str], Path]) -> None:
    body, ending, kinds = FAULTS[fault]
    settings = Settings(
        theories=("bitvectors",), options=0, compare=1.0, seconds=1.0 if fault == "hangs" else 4.0, memory=200
    )
    weights = {"create_terms.print": 20.0, "unsat.extra interpolant": 60.0}
    weights["create_terms.extra simplify-term"] = 20.0
    weights["unsat.extra core-back"] = 0  # 0.9.1 does not parse the core it prints
    settings = msgspec.structs.replace(settings, weights=weights)
    others = "z3" if kinds & ASKING or "wrong sat" in fault else ""
    fuzzer = make("bitwuzla", settings, plant("bitwuzla", body), others)
    result = next(o for o in map(fuzzer.run, range(300)) if o.status is not RunStatus.DONE)
    assert result.status is ending
    assert result.kind in kinds
    again = read_trace(str(result.trace))
    assert again == result.trace
    assert fuzzer.replay(again).is_same_failure(result)


# Faults of actions only one library has: product, its method, the action with its place in the model.
ACTIONS = {
    "optimum": (
        "z3",
        """
def extra(self, name, args):
    if name != "maximum":
        return super().extra(name, args)
    return "#b" + "0" * args[0].size() if real.z3.is_bv(args[0]) else ""
""",
        "sat.extra maximum",
    ),
    "abduct": (
        "cvc5",
        """
def extra(self, name, args):
    return "true" if name == "abduct" else super().extra(name, args)
""",
        "check_sat.extra abduct",
    ),
}


@pytest.mark.parametrize("kind", ACTIONS)
def test_results_that_are_not_what_they_should_be(
    kind: str, make: Make, plant: Callable[[str, str], Path]
) -> None:
    product, body, place = ACTIONS[kind]
    settings = Settings(theories=("bitvectors",), options=0, compare=1.0, weights={place: 100.0})
    other = "bitwuzla" if product == "z3" else "z3"
    fuzzer = make(product, settings, plant(product, body), other)
    result = next(o for o in map(fuzzer.run, range(40)) if o.status is RunStatus.CHECK_FAILED)
    assert result.kind == kind
    assert fuzzer.replay(result.trace).is_same_failure(result)


def test_a_program_that_dies_takes_its_binding_along(make: Make, plant: Callable[[str, str], Path]) -> None:
    """Through a pipe a crash is a crash, too."""
    body = """
def assert_(self, term):
    os.kill(self.process.pid, 11)
    super().assert_(term)
"""
    fuzzer = make("z3", Settings(theories=("bitvectors",), options=0, pipe=True), plant("pipe", body))
    result = next(o for o in map(fuzzer.run, range(10)) if o.status is not RunStatus.DONE)
    assert result.status is RunStatus.CRASHED
    assert result.kind == "assert"
    assert "signal 11" in result.evidence


def test_runs_of_a_correct_library_pass(make: Make) -> None:
    # Not arrays: it prints a logic for them that it does not read.
    fuzzer = make("bitwuzla", Settings(theories=("bitvectors",), compare=0.5), others="z3")
    for number in range(100, 112):
        result = fuzzer.run(number)
        assert not result.is_wrong, f"{number}: {result.kind} {result.evidence}"


TWICE = """
s1 = sort BitVec 8
s2 = sort Bool
t1 = const s1 x1
t2 = term = t1 t1
assert t2
check
get-value t1
get-value t1
one-shot t2
"""


@pytest.mark.parametrize(("kind", "place"), [("revised", "get-value"), ("one-shot", "one-shot")])
def test_a_library_that_contradicts_itself(
    kind: str, place: str, make: Make, plant: Callable[[str, str], Path]
) -> None:
    """No other solver is asked."""
    body = {
        "revised": FAULTS["values that change"][0],
        "one-shot": """
def check(self, assumptions):
    super().check(assumptions)
    return "unsat"
""",
    }[kind]
    fuzzer = make("bitwuzla", Settings(), plant("bitwuzla", body))
    required = [Line("set-option", ("produce-models", "true"))]
    lines = [Line("new"), *required, *read_trace(TWICE).lines]
    result = fuzzer.replay(from_lines(lines, {"theories": "core bitvectors"}))
    assert (result.status, result.kind) == (RunStatus.CHECK_FAILED, kind)
    assert result.trace.steps[-1].line.word == place


def test_another_complaint_on_the_way_does_not_hide_a_fault(
    make: Make, plant: Callable[[str, str], Path]
) -> None:
    """A run looks at a share of what others say, a replay at all of it: it may find something else first."""
    body = FAULTS["prints another term"][0] + "def check(self, assumptions):\n    return 'unsat'\n"
    lines = [
        "new", "s1 = sort Bool", "t1 = const s1 x1", "print t1", "assert t1", "check", "one-shot t1",
    ]  # fmt: skip
    fuzzer = make("bitwuzla", Settings(compare=1.0, options=0), plant("bitwuzla", body), "z3")
    trace = from_lines([read_line(row) for row in lines])
    first = fuzzer.replay(trace)
    assert (first.status, first.kind) == (RunStatus.CHECK_FAILED, "print")
    later = fuzzer.replay(from_lines([read_line(row) for row in lines if row != "print t1"]))
    assert (later.status, later.kind) == (RunStatus.CHECK_FAILED, "verdict")
    assert fuzzer.replay(trace, like=later).is_same_failure(later)


CORRECT = {
    "two inputs that differ have a value each": """
s1 = sort Bool
t1 = const s1 x1
t2 = const s1 x2
t3 = term not t1
assert t3
assert t2
check
get-value t1
t4 = term = t1 t2
check t4
""",
    "what z3 expands has parts other lines make": """
s1 = sort Int
t1 = const s1 x1
t2 = term int_to_bv[3] t1 #1
t3 = term sbv_to_int t2 #1
t4 = term ubv_to_int t2 #1
get-children t3
""",
    "what z3 makes simpler was asserted all the same": """
s1 = sort String
s2 = sort Bool
t1 = value s1 "a"
t2 = const s1 x2
t3 = value s2 false
t4 = term seq.replace_all t1 t2 t1
t5 = term = t4 t1 t1
assert t5
check
check t3
get-core
""",
}


@pytest.mark.parametrize("case", CORRECT)
def test_a_correct_library_passes(case: str, make: Make) -> None:
    fuzzer = make("z3", Settings())
    result = fuzzer.replay(from_lines([Line("new", variant=2), *read_trace(CORRECT[case]).lines]))
    assert result.status is RunStatus.DONE, result.evidence
    assert not result.skipped


UNWAITED = """
s1 = sort Bool
t1 = const s1 x1
get-sort t1
t2 = term not t1
assert t2
push 1
check
"""
HANGS = """
def push(self, levels):
    while True:
        pass
"""


@pytest.mark.parametrize(
    ("body", "ending", "place"),
    [
        (FAULTS["another sort"][0], RunStatus.CHECK_FAILED, "get-sort"),
        (HANGS, RunStatus.TIMED_OUT, "push"),
        (HANGS.replace("while True:\n        pass", "ctypes.string_at(0)"), RunStatus.CRASHED, "push"),
        (HANGS.replace("while True:\n        pass", "raise RuntimeError()"), RunStatus.RAISED, "push"),
    ],
)
def test_a_trace_ends_with_what_is_wrong_though_more_was_sent(
    body: str, ending: RunStatus, place: str, make: Make, plant: Callable[[str, str], Path]
) -> None:
    """None of these lines is waited for; all are answered together with the check."""
    fuzzer = make("bitwuzla", Settings(seconds=0.2), plant("bitwuzla", body))
    result = fuzzer.replay(from_lines([Line("new"), *read_trace(UNWAITED).lines]))
    assert result.status is ending
    assert result.trace.steps[-1].line.word == place
    assert fuzzer.replay(result.trace).is_same_failure(result)
