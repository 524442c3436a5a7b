"""Datatypes whose laws are tested: recursive, enumeration, mutually recursive, parametric."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.laws import Law, all_laws, datatype_laws
from falsum.smtlib.syntax.reader import read_script

DATATYPES: Final = """
(declare-datatypes ((Lst 0)) (((nil) (cons (head Int) (tail Lst)))))
(declare-datatypes ((Color 0)) (((red) (green) (blue))))
(declare-datatypes ((Tree 0) (Forest 0)) (
  ((node (val Bool) (kids Forest)))
  ((none) (more (first Tree) (rest Forest)))))
(declare-datatypes ((Pair 2)) ((par (S T) ((pair (fst S) (snd T))))))
(declare-datatypes ((Opt 1)) ((par (T) ((nothing) (some (get T))))))
"""
DATATYPE_LAWS: Final[tuple[Law, ...]] = datatype_laws(read_script(DATATYPES))
EVERY_LAW: Final[tuple[Law, ...]] = all_laws() + DATATYPE_LAWS
