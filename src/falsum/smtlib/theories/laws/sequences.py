"""Laws of sequences: those shared with strings, and those of units and elements."""

from __future__ import annotations

from falsum.smtlib.theories.law import LawTable
from falsum.smtlib.theories.laws import words

_OWN = """
(law seq.len-unit equivalent ((v A)) (seq.len (seq.unit v)) 1)
(law seq.nth-unit equivalent ((v A)) (seq.nth (seq.unit v) 0) v)
(law seq.eq-units equivalent ((v A) (w A)) (= (seq.unit v) (seq.unit w)) (= v w))
(law seq.at-as-unit equivalent ((x (Seq A)) (i Int))
  (seq.at x i) (seq.unit (seq.nth x i)) :if (and (<= 0 i) (< i (seq.len x))))
(law seq.nth-concat-first equivalent ((x (Seq A)) (y (Seq A)) (i Int))
  (seq.nth (seq.++ x y) i) (seq.nth x i) :if (and (<= 0 i) (< i (seq.len x))))
(law seq.nth-concat-second equivalent ((x (Seq A)) (y (Seq A)) (i Int))
  (seq.nth (seq.++ x y) (+ (seq.len x) i)) (seq.nth y i) :if (and (<= 0 i) (< i (seq.len y))))
(law seq.contains-unit equivalent ((v A) (w A)) (seq.contains (seq.unit v) (seq.unit w)) (= v w))
(law seq.eq-weaker-nth implies ((x (Seq A)) (y (Seq A)) (i Int)) (= x y) (= (seq.nth x i) (seq.nth y i)))
(law seq.contains-stronger-nth implies ((x (Seq A)) (i Int) (v A))
  (and (<= 0 i) (< i (seq.len x)) (= (seq.nth x i) v)) (seq.contains x (seq.unit v)))
(law seq.fuse-unit inverse ((x A) (y (Seq A)) (z (Seq A))) (= z (seq.++ (seq.unit x) y))
  (and (= x (seq.nth z 0)) (= y (seq.extract z 1 (- (seq.len z) 1)))))
"""
_SHARED = (
    words.TABLE.replace(" W)", " (Seq A))")
    .replace("EMPTY", "(as seq.empty (Seq A))")
    .replace("w.substr", "seq.extract")
    .replace("w.", "seq.")
)

LAWS = LawTable("Sequences", _SHARED + _OWN, ("A",))
