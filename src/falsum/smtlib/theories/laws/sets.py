"""Laws of finite sets."""

from __future__ import annotations

from falsum.smtlib.theories.law import LawTable

_S = "(Set A)"
_X, _XY, _XYZ = f"((x {_S}))", f"((x {_S}) (y {_S}))", f"((x {_S}) (y {_S}) (z {_S}))"
_V, _VX, _VXY = "((v A))", f"((v A) (x {_S}))", f"((v A) (x {_S}) (y {_S}))"
_EMPTY = f"(as set.empty {_S})"
_TABLE = f"""
(law set.union-commutes equivalent {_XY} (set.union x y) (set.union y x))
(law set.inter-commutes equivalent {_XY} (set.inter x y) (set.inter y x))
(law set.union-associates equivalent {_XYZ} (set.union (set.union x y) z) (set.union x (set.union y z)))
(law set.inter-associates equivalent {_XYZ} (set.inter (set.inter x y) z) (set.inter x (set.inter y z)))
(law set.union-same equivalent {_X} (set.union x x) x)
(law set.inter-same equivalent {_X} (set.inter x x) x)
(law set.minus-same equivalent {_X} (set.minus x x) {_EMPTY})
(law set.union-empty equivalent {_X} (set.union x {_EMPTY}) x)
(law set.inter-empty equivalent {_X} (set.inter x {_EMPTY}) {_EMPTY})
(law set.minus-empty equivalent {_X} (set.minus x {_EMPTY}) x)
(law set.empty-minus equivalent {_X} (set.minus {_EMPTY} x) {_EMPTY})
(law set.inter-as-minus equivalent {_XY} (set.inter x y) (set.minus x (set.minus x y)))
(law set.minus-inter equivalent {_XY} (set.minus x y) (set.minus x (set.inter x y)))
(law set.minus-union equivalent {_XYZ} (set.minus x (set.union y z)) (set.minus (set.minus x y) z))
(law set.inter-distributes equivalent {_XYZ}
  (set.inter x (set.union y z)) (set.union (set.inter x y) (set.inter x z)))
(law set.union-distributes equivalent {_XYZ}
  (set.union x (set.inter y z)) (set.inter (set.union x y) (set.union x z)))
(law set.union-absorbs equivalent {_XY} (set.union x (set.inter x y)) x)
(law set.inter-absorbs equivalent {_XY} (set.inter x (set.union x y)) x)
(law set.union-split equivalent {_XY} (set.union (set.inter x y) (set.minus x y)) x)
(law set.member-union equivalent {_VXY} (set.member v (set.union x y)) (or (set.member v x) (set.member v y)))
(law set.member-inter equivalent {_VXY}
  (set.member v (set.inter x y)) (and (set.member v x) (set.member v y)))
(law set.member-minus equivalent {_VXY}
  (set.member v (set.minus x y)) (and (set.member v x) (not (set.member v y))))
(law set.member-empty equivalent {_V} (set.member v {_EMPTY}) false)
(law set.member-singleton equivalent ((v A) (w A)) (set.member v (set.singleton w)) (= v w))
(law set.member-as-subset equivalent {_VX} (set.member v x) (set.subset (set.singleton v) x))
(law set.insert-as-union equivalent {_VX} (set.insert v x) (set.union (set.singleton v) x))
(law set.insert-member equivalent {_VX} (set.insert v x) x :if (set.member v x))
(law set.eq-singletons equivalent ((v A) (w A)) (= (set.singleton v) (set.singleton w)) (= v w))
(law set.subset-same equivalent {_X} (set.subset x x) true)
(law set.subset-of-empty equivalent {_X} (set.subset x {_EMPTY}) (= x {_EMPTY}))
(law set.empty-subset equivalent {_X} (set.subset {_EMPTY} x) true)
(law set.subset-as-union equivalent {_XY} (set.subset x y) (= (set.union x y) y))
(law set.subset-as-inter equivalent {_XY} (set.subset x y) (= (set.inter x y) x))
(law set.subset-as-minus equivalent {_XY} (set.subset x y) (= (set.minus x y) {_EMPTY}))
(law set.subset-union equivalent {_XYZ}
  (set.subset (set.union x y) z) (and (set.subset x z) (set.subset y z)))
(law set.subset-inter equivalent {_XYZ}
  (set.subset x (set.inter y z)) (and (set.subset x y) (set.subset x z)))
(law set.eq-as-subsets equivalent {_XY} (= x y) (and (set.subset x y) (set.subset y x)))
(law set.is-empty-as-eq equivalent {_X} (set.is_empty x) (= x {_EMPTY}))
(law set.is-singleton-of equivalent {_V} (set.is_singleton (set.singleton v)) true)
(law set.card-empty equivalent {_X} (= (set.card x) 0) (= x {_EMPTY}))
(law set.card-singleton equivalent {_V} (set.card (set.singleton v)) 1)
(law set.card-union equivalent {_XY}
  (+ (set.card (set.union x y)) (set.card (set.inter x y))) (+ (set.card x) (set.card y)))
(law set.card-minus equivalent {_XY} (set.card (set.minus x y)) (- (set.card x) (set.card (set.inter x y))))
(law set.is-empty-weaker-subset implies {_XY} (set.is_empty x) (set.subset x y))
(law set.is-empty-stronger-subset implies {_XY} (and (set.subset x y) (set.is_empty y)) (set.is_empty x))
(law set.is-singleton-weaker-not-empty implies {_X} (set.is_singleton x) (distinct x {_EMPTY}))
(law set.is-singleton-stronger-eq implies {_VX} (= x (set.singleton v)) (set.is_singleton x))
(law set.member-weaker-union implies {_VXY} (set.member v x) (set.member v (set.union x y)))
(law set.member-weaker-not-empty implies {_VX} (set.member v x) (distinct x {_EMPTY}))
(law set.member-weaker-card implies {_VX} (set.member v x) (>= (set.card x) 1))
(law set.member-stronger-inter implies {_VXY} (set.member v (set.inter x y)) (set.member v x))
(law set.member-stronger-minus implies {_VXY} (set.member v (set.minus x y)) (set.member v x))
(law set.member-stronger-subset implies {_VXY} (and (set.member v x) (set.subset x y)) (set.member v y))
(law set.subset-weaker-union implies {_XYZ} (set.subset x y) (set.subset x (set.union y z)))
(law set.subset-weaker-inter implies {_XYZ} (set.subset x y) (set.subset (set.inter x z) y))
(law set.subset-weaker-minus implies {_XYZ} (set.subset x y) (set.subset (set.minus x z) y))
(law set.subset-stronger-union implies {_XYZ} (set.subset (set.union x z) y) (set.subset x y))
(law set.subset-stronger-inter implies {_XYZ} (set.subset x (set.inter y z)) (set.subset x y))
(law set.subset-stronger-eq implies {_XY} (= x y) (set.subset x y))
(law set.subset-stronger-between implies {_XYZ} (and (set.subset x z) (set.subset z y)) (set.subset x y))
(law set.subset-weaker-card implies {_XY} (set.subset x y) (<= (set.card x) (set.card y)))
(law set.eq-weaker-card implies {_XY} (= x y) (= (set.card x) (set.card y)))
(law set.eq-weaker-member implies {_VXY} (= x y) (= (set.member v x) (set.member v y)))
(law set.distinct-stronger-member implies {_VXY} (distinct (set.member v x) (set.member v y)) (distinct x y))
(law set.fuse-difference inverse {_XYZ} (= z (set.union (set.minus x y) (set.minus y x)))
  (and (= x (set.union (set.minus z y) (set.minus y z))) (= y (set.union (set.minus z x) (set.minus x z)))))
"""

LAWS = LawTable("Sets", _TABLE, ("A",))
