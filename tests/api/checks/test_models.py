"""Models of a library: printed ones, values that are fetched, and what is not looked at."""

from __future__ import annotations

import msgspec
import pytest
from tests.api.checks.stories import CAPABILITIES, failures, follow_ups, mirror_of

from falsum.api.checks.models import ModelCheck
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Bounds
from falsum.api.reference_solvers import NoReferenceSolvers
from falsum.api.trace import read_trace
from falsum.api.traces.to_mirror import apply_trace

# x is less than 5 and equal to y, and f is a function of bit-vectors.
SAT = "assert t4\nassert t6\ncheck\n-> sat\n"
FUNCTION = """s4 = sort -> s2 s2
t20 = const s4 f
t21 = term apply t20 t1
t22 = term = t21 t2
assert t22
check
-> sat
"""


def printed(x: str, y: str) -> str:
    return f"((define-fun x () (_ BitVec 4) {x})\t(define-fun y () (_ BitVec 4) {y}))"


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        (printed("#b0001", "#b0001"), ""),
        (printed("#b0111", "#b0111"), "t4 is false in the printed model: (bvult x #b0101)"),
        (printed("#b0001", "#b0010"), "t6 is false in the printed model: (= x y)"),
        # What it does not define may be anything, and what cannot be read is no model.
        ("((define-fun x () (_ BitVec 4) #b0111))", "t4 is false in the printed model: (bvult x #b0101)"),
        ("((define-fun x () (_ BitVec 4) #b0001))", ""),
        ("((define-fun x () (_ BitVec 4)", ""),
        ("", ""),
    ],
)
def test_a_printed_model_satisfies_the_formulas_of_the_check(text: str, evidence: str) -> None:
    found = failures(f"{SAT}get-model\n-> {text}\n")
    assert [(each.kind, each.evidence) for each in found] == ([("model", evidence)] if evidence else [])
    assert failures(f"{SAT}get-model\n-! Error: {text}\n") == []
    # After unsat there is none.
    assert failures(f"assert t4\nassert t6\ncheck\n-> unsat\nget-model\n-> {text}\n") == []


def test_functions_are_fetched_if_the_library_can() -> None:
    capable = msgspec.structs.replace(CAPABILITIES, sorts=(*CAPABILITIES.sorts, "->"))
    assert follow_ups(FUNCTION, capable)[0] == "get-value t1 t2 t20"
    kept = tuple(each for each in CAPABILITIES.features if each != "function-values")
    without = msgspec.structs.replace(capable, features=kept)
    assert not any(line.startswith("get-value") for line in follow_ups(FUNCTION, without))
    assert follow_ups(SAT, without)[0] == "get-value t1 t2"


def test_every_fifth_value_is_fetched_twice() -> None:
    repeated = []
    for pause in range(10):
        story = f"{SAT}" + "print t1\n-> x\n" * pause + "get-value t1\n-> #b0001\n"
        again = "get-value t1" in follow_ups(story)
        assert again is (mirror_of(story).actions % 5 == 0)
        repeated.append(again)
    assert repeated.count(True) == 2


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        ("#b0001", "#b0010", True),
        ("#b0001", "#x1", False),
        ("#b0001", "(_ bv1 4)", False),
        ("#b0001", "(frob)", False),
        ("(frob)", "#b0001", False),
        ("#b0001", "17", False),
    ],
)
def test_a_value_stays_what_it_is(before: str, now: str, *, changed: bool) -> None:
    found = failures(f"{SAT}get-value t1\n-> {before}\nget-value t1\n-> {now}\n")
    assert [each.kind for each in found] == (["revised"] if changed else [])


def test_a_value_that_is_printed_as_a_term_changes_as_well() -> None:
    """Under the model y is 1."""
    fetched = f"{SAT}get-value t1 t2\n-> #b0001\t#b0001\nget-value t5\n-> (bvadd y y)\nget-value t5\n-> "
    assert failures(f"{fetched}#b0010\n") == []
    assert [each.kind for each in failures(f"{fetched}#b0011\n")] == ["revised"]


def test_a_value_that_is_not_printed_is_not_compared() -> None:
    fetched = f"{SAT}get-value t1 t2\n-> #b0001\t#b0001\n"
    assert failures(f"{fetched}get-value t1 t5\n-> #b0001\t\n") == []
    assert [each.kind for each in failures(f"{fetched}get-value t1 t5\n-> #b0001\t#b0001\n")] == ["value"]


def test_the_first_foreign_symbol_of_an_interpolant_is_named() -> None:
    unsat = "assert t12\nassert t14\ncheck\n-> unsat\n"
    story = f"{unsat}extra give-interpolant t12\n-> (and (= j j) (= x y) (> i 3))\n"
    (found,) = failures(story)
    assert found.evidence.startswith("j is not a common symbol")


EQUAL = "t20 = value s2 #b0001\nt21 = term = t1 t20\ncheck t21\n-> unsat\n"


@pytest.mark.parametrize(("value", "is_found"), [("#b0001", True), ("(frob)", False), ("true", False)])
def test_only_a_value_that_can_be_read_is_held_against_a_later_check(value: str, *, is_found: bool) -> None:
    found = failures(f"{SAT}get-value t1\n-> {value}\n{EQUAL}")
    assert ("value" in [each.kind for each in found]) is is_found


def test_without_assumptions_no_value_is_assumed() -> None:
    kept = tuple(each for each in CAPABILITIES.features if each != "assumptions")
    without = msgspec.structs.replace(CAPABILITIES, features=kept)
    for pause in range(9):
        story = f"{SAT}get-value t1\n-> #b0001\n" + "print t1\n-> x\n" * pause + "get-value t1\n-> #b0001\n"
        assert not any(" = " in line for line in follow_ups(story, without))


def test_a_value_that_cannot_be_read_is_not_assumed() -> None:
    for pause in range(9):
        for value in ("(frob)", "true"):
            fetched = f"get-value t1\n-> {value}\n"
            assert not any(
                " = " in line for line in follow_ups(f"{SAT}{fetched}" + "print t1\n-> x\n" * pause + fetched)
            )


def test_an_optimum_of_another_sort_is_not_compared() -> None:
    assert failures("assert t14\ncheck\n-> sat\nextra give-maximum t9\n-> #b0001\n") == []
    assert failures("assert t8\ncheck\n-> sat\nextra give-maximum t8\n-> true\n") == []


def test_chains_of_children_are_not_compared() -> None:
    """A library may make pairs of three arguments."""
    for args, noticed in (("t4 t6", True), ("t4 t6 t7", False)):
        found = failures(f"t20 = term and {args}\nget-children t20\n-> t8\n")
        assert bool(found) is noticed


def test_a_fresh_solver_gets_what_was_named_last() -> None:
    unsat = "assert t4\nassert t6\ncheck t7\n-> unsat\n"
    core = f"{unsat}get-core\n-> t4\n"
    assert follow_ups(core) == ["one-shot t4 t7"]
    assert follow_ups(f"{core}get-unsat-assumptions\n-> t7\n") == ["one-shot t4 t6 t7"]


def test_a_core_counts_after_unsat_only() -> None:
    assert failures(f"{SAT}get-core\n-> t4 t7\n") == []
    assert failures("assert t4\nassert t7\ncheck\n-> unsat\nget-core\n-! Error: no\n") == []


def test_two_forms_of_an_irrational_number_are_no_finding() -> None:
    """cvc5 prints the secant of 1 by a sine; the evaluator cannot say that it is the same number."""
    capabilities = msgspec.structs.replace(CAPABILITIES, sorts=("Bool", "Real"), operators=("sec",))
    text = "(/ 1.0 (sin (+ (- 1.0) (* (/ 1.0 2.0) real.pi))))"
    story = f"s1 = sort Real\nt1 = value s1 1\nt2 = term sec t1\ncheck\n-> sat\nget-value t2\n-> {text}\n"
    for wrong, value in ((False, text), (True, "2.0")):
        mirror = Mirror(capabilities, Bounds(), ("core", "reals", "extended-arithmetic"))
        *_, last = apply_trace(read_trace(story.replace(text, value)), mirror)
        failure = ModelCheck().examine(mirror, last.line, last.reply, NoReferenceSolvers())
        assert (failure is not None) is wrong
