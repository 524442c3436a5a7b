"""Names that SMT-LIB does not have: extensions, internal names of solvers, clashes with built-in ones."""

from __future__ import annotations

import pytest

from falsum.app.report.nonstandard_names import INTERNAL, NonstandardNames, nonstandard_names
from falsum.smtlib import read_script
from falsum.smtlib.theories import OPERATORS

DATATYPE = "(declare-datatypes ((T 0)) (((O) (V (head Int)))))(declare-const t T)"


@pytest.mark.parametrize(
    ("text", "names", "rank"),
    [
        ("(declare-fun f (Int) Int)(assert (= (f 1) (abs 2)))", NonstandardNames(), 0),
        (f"{DATATYPE}(assert ((_ is O) t))", NonstandardNames(), 0),
        ("(assert (= 1 (to_int 1.0)))(assert (= 1 1.0))", NonstandardNames(), 0),
        ("(declare-const a Int)(assert (distinct (piand a 1 1) 0))", NonstandardNames(("piand",)), 1),
        (f"{DATATYPE}(assert (= t ((_ update head) t 1)))", NonstandardNames(("update",)), 1),
        ("(declare-codatatypes ((a 0)) (((c))))", NonstandardNames(("declare-codatatypes",)), 1),
        ("(declare-heap (Int Int))(assert sep.emp)", NonstandardNames(("declare-heap", "sep.emp")), 1),
        (
            "(declare-const a Int)(define-fun f () Bool (= (div_total 0 a) (int.pow2 a)))",
            NonstandardNames(("int.pow2",), ("div_total",)),
            2,
        ),
        ("(declare-fun .a () Int)(declare-const @b Int)", NonstandardNames((), (".a", "@b")), 2),
        (f"{DATATYPE}(declare-fun is (T) Bool)", NonstandardNames((), (), ("is",)), 2),
        ("(declare-datatypes ((T 0)) (((abs) (c (sep Int)))))", NonstandardNames((), (), ("abs", "sep")), 2),
        ("(define-funs-rec ((exp ((n Int)) Int)) (n))", NonstandardNames((), (), ("exp",)), 2),
        ("(check-sat-assuming (((_ bit2bool 0) #b1)))", NonstandardNames((), ("bit2bool",)), 2),
    ],
)
def test_names_outside_the_standard(text: str, names: NonstandardNames, rank: int) -> None:
    found = nonstandard_names(read_script(text))
    assert found == names
    assert (found.rank, found.is_doubtful, bool(found)) == (rank, rank == 2, rank > 0)


def test_objectives_and_values_count_too() -> None:
    script = read_script("(declare-const a Int)(maximize (mod_total a 2))(check-sat)(get-value ((- a)))")
    assert nonstandard_names(script).internal == ("mod_total",)


def test_names_are_said_the_doubtful_first() -> None:
    said = str(NonstandardNames(("iand", "piand"), ("mkbv",), ("is",)))
    assert said == "internal names of solvers: mkbv; declared although built in: is; extensions: iand, piand"
    assert str(NonstandardNames()) == ""


def test_internal_names_are_operators_that_are_not_in_the_standard() -> None:
    assert [name for name in sorted(INTERNAL) if OPERATORS[name].is_standard] == []
