"""Atoms of formulas: found below connectives, and replaced only where they stand as atoms."""

from __future__ import annotations

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
    made = print_term(with_atoms(term, {above: p}))
    assert made == "(=> (or p p) (not (= p (forall ((y Int)) (or (> x 1) (> (f y) x))))))"


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
