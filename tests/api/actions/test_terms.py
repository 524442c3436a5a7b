"""Lines that make terms: set comprehensions, and what a library does not accept."""

from __future__ import annotations

import pytest
from tests.api.conftest import Make

from falsum.api.actions import action_of
from falsum.api.model.capabilities import Capabilities
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Bounds, Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import OK, from_lines, read_line, read_trace
from falsum.errors import UsageError
from falsum.smtlib.printing.printer import print_term

COMPREHENSION = """
new
set-option sets-exp true
s1 = sort Int
s2 = sort Bool
s3 = sort Set s1
t1 = var s1 v1
t2 = value s1 0
t3 = value s1 3
t4 = term < t2 t1 t3
t5 = term + t1 t3
t6 = term set.comprehension t1 t4 t5
t7 = value s1 4
t8 = term set.member t7 t6
assert t8
check
t9 = value s1 7
t10 = term set.member t9 t6
assert t10
check
"""


def test_set_comprehensions_of_cvc5(make: Make) -> None:
    """7 is not in {v + 3 | 0 < v < 3}."""
    fuzzer = make("cvc5", Settings(seconds=10))
    result = fuzzer.replay(read_trace(COMPREHENSION))
    assert result.status is RunStatus.DONE, result.evidence
    assert result.verdicts[1] == "unsat"
    term = fuzzer.mirror_after(result.trace).entry("t6").term
    assert print_term(term) == "(set.comprehension ((v1 Int)) (< 0 v1 3) (+ v1 3))"


def test_set_comprehensions_are_drawn(make: Make) -> None:
    settings = Settings(
        theories=("sets", "ints"), weights={"create_terms.comprehend": 30}, options=0, compare=0
    )
    fuzzer = make("cvc5", settings)
    results = [fuzzer.run(number) for number in range(8)]
    assert any("term set.comprehension" in str(result.trace) for result in results)
    assert not any(result.is_wrong for result in results)


LINES = (
    "s1 = sort Bool",
    "s2 = sort BitVec 2",
    "s3 = sort Array s2 s1",
    "t1 = const s1 x1",
    "t2 = value s1 true",
)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("t3 = term const t1 as s3", "argument 1 of const must be a value"),
        ("t3 = term set.comprehension t1 t1 t1", "needs variables, a formula and a term"),
        ("s4 = sort Array s3 s1", r"x does not have the sort"),
        ("s4 = sort FloatingPoint 3 5", r"x does not have the sort"),
        ("s4 = sort Int", r"x does not have the sort Int"),
    ],
)
def test_what_a_library_does_not_have_is_refused(line: str, message: str) -> None:
    """Traces of other libraries may have it."""
    library = Capabilities(
        "x",
        sorts=("Bool", "BitVec", "Array", "FloatingPoint"),
        operators=("const", "not"),
        constant_arguments={"const": (0,)},
        float_formats=((8, 24),),
        features=("nested-arrays",),
    )
    mirror = Mirror(library, Bounds(), ("core", "bitvectors", "arrays", "floats"))
    for row in map(read_line, LINES):
        action_of(row).apply(mirror, row, OK)
    with pytest.raises(UsageError, match=message):
        action_of(read_line(line)).apply(mirror, read_line(line), OK)


def test_variables_have_one_binder_where_the_library_says_so(make: Make) -> None:
    """Boolector refuses a parameter outside of the function that binds it; the line is left out."""
    rows = """
new
s1 = sort Bool
s2 = sort -> s1 s1
t1 = var s1 v1
t2 = const s2 f2
t3 = term not t1
t4 = define g4 t1 t3
t5 = term apply t2 t1
t6 = const s1 x6
t7 = term apply t4 t6
assert t7
check
"""
    fuzzer = make("boolector", Settings(seconds=10))
    result = fuzzer.replay(from_lines(read_trace(rows).lines, {"theories": "core uf"}))
    assert result.status is RunStatus.DONE, result.evidence
    assert result.skipped == 1
