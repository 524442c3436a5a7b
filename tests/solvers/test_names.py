"""Who is independent of whom, and which release is newer."""

from __future__ import annotations

import pytest

from falsum.smtlib.verdict import Verdict
from falsum.solvers.names import current_verdicts, families, family_of, is_older, label_of, product_of

SAT, UNSAT = Verdict.SAT, Verdict.UNSAT


@pytest.mark.parametrize(
    ("name", "product"),
    [
        ("z3", "z3"),
        ("z3@4.8.10.0", "z3"),
        ("cvc5@1.1.2:ee-mode=central", "cvc5"),
        ("/opt/solvers/yices-smt2", "yices"),
        ("/usr/bin/z3 -smt2 -in", "z3"),
        ("./cvc5 --incremental", "cvc5"),
        ("/opt/liar.py --sat", "liar.py"),
        ("mathsat -config", "mathsat"),
        ("z3=/opt/build-7/solver", "z3"),
        ("z3=/opt/build-7/solver:smt.arith.solver=2", "z3"),
        ("/opt/z3/bin/z3:smt.arith.solver=2", "z3"),
        ("'acme=lib/my binding.py'", "acme"),
        ("z3=wrapper --checked", "z3"),
        ("my=./build/z3", "z3"),
        ("my=cvc5=./build", "cvc5"),
        ("my=cvc5=./build:seed=1", "cvc5"),
        ("new=z3=wrapper --checked", "z3"),
        ("'unclosed", "'unclosed"),
        ("", ""),
    ],
)
def test_the_product_in_a_name(name: str, product: str) -> None:
    assert product_of(name) == product


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("my=./build/z3", "my"),
        ("my=cvc5=./build:seed=1", "my"),
        ("new=z3=wrapper --checked", "new"),
        ("z3=./build/z3", ""),
        ("acme=lib/binding.py", ""),
        ("./build/z3:a=b", ""),
        ("z3@4.8.7:a=b", ""),
    ],
)
def test_the_label_in_a_name(name: str, label: str) -> None:
    assert label_of(name) == label


def test_successors_count_as_the_same_product() -> None:
    assert family_of("cvc4@1.8") == family_of("cvc5") == "cvc5"
    assert families(["boolector", "bitwuzla@0.9", "z3", "z3@4.8"]) == ("bitwuzla", "z3")


def test_a_name_without_a_release_is_the_newest() -> None:
    assert is_older("z3@4.12.6", "z3")
    assert is_older("z3@4.8.9.0", "z3@4.8.10.0")
    assert not is_older("z3", "z3@4.8.10.0")
    assert not is_older("z3@4.8", "cvc5@1.4")
    assert not is_older("z3@4.8", "z3@4.8:smt.arith.solver=2")
    assert not is_older("z3:smt.arith.solver=2", "z3")


def test_a_family_speaks_by_its_newest_release_that_decides() -> None:
    said = {"cvc4@1.8": SAT, "cvc5@1.0.3": UNSAT, "z3": None, "z3@4.8": SAT, "z3@4.12": UNSAT}
    assert current_verdicts(said) == {"cvc5": UNSAT, "z3": UNSAT}
    assert current_verdicts({"cvc4": SAT, "cvc5": Verdict.UNKNOWN}) == {"cvc5": SAT}
