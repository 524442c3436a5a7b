"""Atoms of formulas: found below connectives, and replaced only where they stand as atoms."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.strategies.histfuzz.atoms import atoms_of, mined, with_atoms

SCRIPT = """(set-logic ALL)
(declare-fun p () Bool)
(declare-fun x () Int)
(declare-fun f (Int) Int)
(assert (=> (or p (> x 1)) (not (= p (forall ((y Int)) (or (> x 1) (> (f y) x)))))))
(check-sat)
"""


def test_atoms_stand_below_connectives() -> None:
    (term,) = read_script(SCRIPT).assertions
    atoms = [print_term(atom) for atom in atoms_of(term)]
    assert atoms == ["p", "(> x 1)", "p", "(forall ((y Int)) (or (> x 1) (> (f y) x)))"]


def test_inside_an_atom_nothing_is_replaced() -> None:
    (term,) = read_script(SCRIPT).assertions
    p, above, *_rest = atoms_of(term)
    text = print_term(with_atoms(term, {above: p}))
    assert text == "(=> (or p p) (not (= p (forall ((y Int)) (or (> x 1) (> (f y) x))))))"


def test_what_is_mined() -> None:
    found = mined(SCRIPT)
    assert found is not None
    # A mere symbol is no atom that is worth taking.
    assert print_term(found.atoms[0].term) == "(> x 1)"
    assert len(found.atoms) == 2
    assert [function.name for function in found.atoms[1].functions] == ["x", "f"]
    assert found.atoms[0].operators == {">"}


def test_what_means_nothing_elsewhere_is_left_behind() -> None:
    assert mined("(declare-sort S 0)(declare-const s S)(assert (= s s))(check-sat)") is None
    assert mined("(declare-const x Int)(define-fun g () Int x)(assert (> (g) 1))(check-sat)") is None
    assert mined("(assert (") is None


@pytest.mark.parametrize(
    ("declared", "asserted", "rare"),
    [
        ("(declare-const x Int)", "(> (mod x 3) 1)", set()),
        ("(declare-const x Int)", "((_ divisible 3) x)", {"divisible"}),
        ("(declare-const x Int)", "(= (** x 2) 4)", {"**"}),
        ("(declare-const f Float32)", "(fp.isNaN f)", set()),
        ("(declare-const f Float16)", "(fp.isNaN f)", {"(_ FloatingPoint 5 11)"}),
        ("(declare-const a (Array Int Bool))", "(= a ((as const (Array Int Bool)) true))", {"const"}),
        (
            "(declare-const a (Array (Array Int Int) Int))(declare-const i (Array Int Int))",
            "(> (select a i) 0)",
            {"Array of Array"},
        ),
        ("(declare-const s (Set Int))(declare-const t (Set Int))", "(= s t)", {"Set"}),
        ("(declare-const p Bool)(declare-const q Bool)", "((_ at-most 1) p q)", {"at-most"}),
    ],
)
def test_what_not_every_solver_reads(declared: str, asserted: str, rare: set[str]) -> None:
    found = mined(f"(set-logic ALL){declared}(assert {asserted})(check-sat)")
    assert found is not None
    assert found.atoms[0].rarities == rare
