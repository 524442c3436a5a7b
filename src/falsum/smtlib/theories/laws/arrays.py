"""Laws of ArraysEx and of constant arrays."""

from __future__ import annotations

from falsum.smtlib.theories.law import LawTable

_A, _AB = "(a (Array X Y))", "(a (Array X Y)) (b (Array X Y))"
_CONST = "(as const (Array X Y))"
_TABLE = f"""
(law select-store-same equivalent ({_A} (i X) (v Y)) (select (store a i v) i) v)
(law select-store equivalent ({_A} (i X) (j X) (v Y)) (select (store a i v) j) (ite (= i j) v (select a j)))
(law select-store-other equivalent ({_A} (i X) (j X) (v Y))
  (select (store a i v) j) (select a j) :if (distinct i j))
(law store-select equivalent ({_A} (i X)) (store a i (select a i)) a)
(law store-store-same equivalent ({_A} (i X) (v Y) (w Y)) (store (store a i v) i w) (store a i w))
(law store-store-commute equivalent ({_A} (i X) (j X) (v Y) (w Y))
  (store (store a i v) j w) (store (store a j w) i v) :if (distinct i j))
(law store-store-equal equivalent ({_A} (i X) (j X) (v Y))
  (store (store a i v) j v) (store (store a j v) i v))
(law store-swap-twice equivalent ({_A} (i X) (j X))
  (select (store (store a i (select a j)) j (select a i)) j) (select a i))
(law eq-store equivalent ({_A} (i X) (v Y)) (= (store a i v) a) (= (select a i) v))
(law eq-store-store equivalent ({_A} (i X) (v Y) (w Y)) (= (store a i v) (store a i w)) (= v w))
(law select-ite equivalent ((p Bool) {_AB} (i X)) (select (ite p a b) i) (ite p (select a i) (select b i)))
(law select-ite-index equivalent ((p Bool) {_A} (i X) (j X))
  (select a (ite p i j)) (ite p (select a i) (select a j)))
(law store-ite equivalent ((p Bool) {_A} (i X) (v Y) (w Y))
  (store a i (ite p v w)) (ite p (store a i v) (store a i w)))
(law store-ite-array equivalent ((p Bool) {_AB} (i X) (v Y))
  (store (ite p a b) i v) (ite p (store a i v) (store b i v)))
(law store-ite-id equivalent ((p Bool) {_A} (i X) (v Y))
  (ite p (store a i v) a) (store a i (ite p v (select a i))))
(law select-const equivalent ((i X) (v Y)) (select ({_CONST} v) i) v)
(law store-const equivalent ((i X) (v Y)) (store ({_CONST} v) i v) ({_CONST} v))
(law eq-const equivalent ((v Y) (w Y)) (= ({_CONST} v) ({_CONST} w)) (= v w))
(law const-ite equivalent ((p Bool) (v Y) (w Y)) ({_CONST} (ite p v w)) (ite p ({_CONST} v) ({_CONST} w)))
(law array-eq-weaker-select implies ({_AB} (i X)) (= a b) (= (select a i) (select b i)))
(law array-eq-weaker-store implies ({_AB} (i X) (v Y)) (= a b) (= (store a i v) (store b i v)))
(law array-eq-weaker-store-select implies ({_AB} (i X)) (= a b) (= (store a i (select b i)) b))
(law array-distinct-stronger-select implies ({_AB} (i X)) (distinct (select a i) (select b i)) (distinct a b))
(law array-eq-store-weaker-select implies ({_AB} (i X) (v Y)) (= a (store b i v)) (= (select a i) v))
(law array-eq-const-weaker-select implies ({_A} (i X) (v Y)) (= a ({_CONST} v)) (= (select a i) v))
(law select-eq-stronger-index implies ({_A} (i X) (j X)) (= i j) (= (select a i) (select a j)))
(law select-distinct-weaker-index implies ({_A} (i X) (j X))
  (distinct (select a i) (select a j)) (distinct i j))
(law array-fuse-store inverse ({_A} (i X) (x Y) (z (Array X Y))) (= z (store a i x)) (= x (select z i)))
(law array-fuse-two inverse ({_A} (i X) (j X) (x Y) (y Y) (z (Array X Y)))
  (= z (store (store a i x) j y)) (and (= x (select z i)) (= y (select z j))) :if (distinct i j))
"""

LAWS = LawTable("ArraysEx", _TABLE, ("X", "Y"))
