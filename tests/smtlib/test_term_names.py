"""Names of terms: given, used, resolved, and listed in unsat cores."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.term_names import (
    NameResolver,
    assertion_name,
    assertions_in_core,
    is_name,
    names_given,
    unused_prefix,
)
from falsum.smtlib.walk import subterms, transform

SCRIPT = read_script(
    """
    (declare-fun p () Bool)
    (declare-fun q () Bool)
    (assert (! (or p (! q :named inner)) :named |the outer|))
    (assert (and inner |the outer|))
    (assert (forall ((x Int)) (! (= x x) :named never :qid k)))
    (assert q)
    """
)


def test_names_are_given_and_used() -> None:
    outer, uses, _, plain = SCRIPT.assertions
    assert names_given(outer) == ("|the outer|",)
    assert names_given(plain) == names_given(uses) == ()
    assert [print_term(part) for part in subterms(uses) if is_name(part)] == ["inner", "|the outer|"]


def test_a_resolved_script_has_no_names_and_keeps_other_annotations() -> None:
    resolver = NameResolver()
    texts = [print_term(transform(term, resolver.change)) for term in SCRIPT.assertions]
    assert texts == ["(or p q)", "(and q (or p q))", "(forall ((x Int)) (! (= x x) :qid k))", "q"]


@pytest.mark.parametrize(
    ("core", "numbers"),
    [
        ("(falsum!2 falsum!4)", {1, 3}),
        ("(|the outer| falsum!4)", {0, 3}),
        ("( |falsum!2| )", {1}),
        ("()", set()),
        ("(falsum!9 inner)", set()),
        ("(falsum!2 inner)", set()),  # who knows which assertion is meant
    ],
)
def test_assertions_of_a_core(core: str, numbers: set[int]) -> None:
    assert assertions_in_core(core, SCRIPT.assertions) == numbers


def test_assumptions_in_a_core_are_no_assertions() -> None:
    assert assertions_in_core("(falsum!2 p)", SCRIPT.assertions, ("p", "(not q)")) == {1}
    assert assertions_in_core("(falsum!2 (not q))", SCRIPT.assertions, ("p", "(not q)")) == {1}
    assert assertions_in_core("(falsum!2 r)", SCRIPT.assertions, ("p", "(not q)")) == set()


CLASHING = """(declare-const x Int)
(assert (! (> x 3) :named falsum!1))(assert (< x 2))(assert (! (= x 7) :named n))
(assert (=> (! (> x 9) :named falsum!!3) falsum!1))(assert (< x 1))(check-sat)"""


@pytest.mark.parametrize(
    ("core", "numbers"),
    [
        ("(falsum!1 falsum!!!2)", {0, 1}),
        ("(falsum!!!5 n)", {4, 2}),
        ("(falsum!!!4 falsum!1)", {0, 3}),
        ("(falsum!!3 falsum!1)", set()),
        ("(falsum!!!6)", set()),
        ("(falsum!2 falsum!1)", {0, 1}),
    ],
)
def test_names_that_falsum_gives_do_not_clash_with_those_of_the_script(core: str, numbers: set[int]) -> None:
    assert unused_prefix(CLASHING) == "falsum!!!"
    assert assertion_name(1, unused_prefix(CLASHING)) == "falsum!!!2"
    assert assertions_in_core(core, read_script(CLASHING).assertions) == numbers
