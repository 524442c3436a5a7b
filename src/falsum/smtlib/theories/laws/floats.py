"""Laws of FloatingPoint that hold for NaN, both zeros, infinities and every rounding mode.

`=` is identity (NaN = NaN, +0 ≠ -0), `fp.eq` is IEEE's. `fp.min` and `fp.max` of two zeros may be either.
"""

from __future__ import annotations

from falsum.smtlib.theories.law import LawTable

_FP = "(_ FloatingPoint e s)"
_X, _XY, _XYZ = f"((x {_FP}))", f"((x {_FP}) (y {_FP}))", f"((x {_FP}) (y {_FP}) (z {_FP}))"
_XA, _XYA = f"((x {_FP}) (a {_FP}))", f"((x {_FP}) (y {_FP}) (a {_FP}))"
_RX, _RXY = f"((r RoundingMode) (x {_FP}))", f"((r RoundingMode) (x {_FP}) (y {_FP}))"
_RXYZ = f"((r RoundingMode) (x {_FP}) (y {_FP}) (z {_FP}))"
_ONE = "(fp #b0 (_ bv (- (** 2 (- e 1)) 1) e) (_ bv 0 (- s 1)))"
_TWO = "(fp #b0 (_ bv (** 2 (- e 1)) e) (_ bv 0 (- s 1)))"
_ZERO, _MINUS_ZERO, _NAN = "(_ +zero e s)", "(_ -zero e s)", "(_ NaN e s)"
_FINITE = "(not (or (fp.isNaN x) (fp.isInfinite x)))"
_BOTH_FINITE = "(not (or (fp.isNaN x) (fp.isInfinite x) (fp.isNaN y) (fp.isInfinite y)))"


def _orders() -> str:
    out = []
    for op, converse in (("lt", "gt"), ("leq", "geq"), ("gt", "lt"), ("geq", "leq"), ("eq", "eq")):
        if op != "eq":
            out.append(f"(law fp-{op}-swapped equivalent {_XY} (fp.{op} x y) (fp.{converse} y x))")
        out.append(
            f"""
            (law fp-{op}-chain equivalent {_XYZ} (fp.{op} x y z) (and (fp.{op} x y) (fp.{op} y z)))
            (law fp-{op}-weaker-ends implies {_XYZ} (fp.{op} x y z) (fp.{op} x z))
            (law fp-{op}-weaker-start implies {_XYZ} (fp.{op} x y z) (fp.{op} x y))
            (law fp-{op}-negated equivalent {_XY} (fp.{op} x y) (fp.{op} (fp.neg y) (fp.neg x)))
            (law fp-{op}-weaker-not-nan implies {_XY} (fp.{op} x y) (not (fp.isNaN x)))
            (law fp-{op}-nan equivalent {_X} (fp.{op} x {_NAN}) false)
            """
        )
    return "".join(out)


_RELATIONS = f"""
(law fp-eq-commutes equivalent {_XY} (fp.eq x y) (fp.eq y x))
(law fp-eq-as-leq equivalent {_XY} (fp.eq x y) (and (fp.leq x y) (fp.geq x y)))
(law fp-leq-as-or equivalent {_XY} (fp.leq x y) (or (fp.lt x y) (fp.eq x y)))
(law fp-geq-as-or equivalent {_XY} (fp.geq x y) (or (fp.gt x y) (fp.eq x y)))
(law fp-not-lt equivalent {_XY} (not (fp.lt x y)) (or (fp.geq x y) (fp.isNaN x) (fp.isNaN y)))
(law fp-not-leq equivalent {_XY} (not (fp.leq x y)) (or (fp.gt x y) (fp.isNaN x) (fp.isNaN y)))
(law fp-eq-same equivalent {_X} (fp.eq x x) (not (fp.isNaN x)))
(law fp-lt-same equivalent {_X} (fp.lt x x) false)
(law fp-leq-same equivalent {_X} (fp.leq x x) (not (fp.isNaN x)))
(law fp-identity equivalent {_XY} (= x y)
  (or (and (fp.isNaN x) (fp.isNaN y)) (and (fp.eq x y) (= (fp.isNegative x) (fp.isNegative y)))))
(law fp-is-nan-as-eq equivalent {_X} (fp.isNaN x) (= x {_NAN}))
(law fp-is-zero-as-eq equivalent {_X} (fp.isZero x) (fp.eq x {_ZERO}))
(law fp-is-zero-as-identity equivalent {_X} (fp.isZero x) (or (= x {_ZERO}) (= x {_MINUS_ZERO})))
(law fp-is-infinite-as-eq equivalent {_X} (fp.isInfinite x) (or (= x (_ +oo e s)) (= x (_ -oo e s))))
(law fp-is-infinite-as-abs equivalent {_X} (fp.isInfinite x) (= (fp.abs x) (_ +oo e s)))
(law fp-is-positive-weaker-not-negative implies {_X} (fp.isPositive x) (not (fp.isNegative x)))
(law fp-is-positive-weaker-not-nan implies {_X} (fp.isPositive x) (not (fp.isNaN x)))
(law fp-is-normal-stronger-constant implies {_XA} (and (= x a) (fp.isNormal a)) (fp.isNormal x))
(law fp-is-subnormal-stronger-constant implies {_XA} (and (= x a) (fp.isSubnormal a)) (fp.isSubnormal x))
(law fp-is-zero-stronger-constant implies {_XA} (and (fp.eq x a) (fp.isZero a)) (fp.isZero x))
(law fp-is-infinite-stronger-constant implies {_XA} (and (fp.eq x a) (fp.isInfinite a)) (fp.isInfinite x))
(law fp-is-nan-stronger-constant implies {_XA} (and (= x a) (fp.isNaN a)) (fp.isNaN x))
(law fp-is-positive-as-neg equivalent {_X} (fp.isPositive x) (fp.isNegative (fp.neg x)))
(law fp-signs equivalent {_X} (or (fp.isNegative x) (fp.isPositive x)) (not (fp.isNaN x)))
(law fp-classes equivalent {_X}
  (or (fp.isNaN x) (fp.isInfinite x) (fp.isZero x) (fp.isSubnormal x) (fp.isNormal x)) true)
(law fp-is-normal-as-not equivalent {_X}
  (fp.isNormal x) (not (or (fp.isNaN x) (fp.isInfinite x) (fp.isZero x) (fp.isSubnormal x))))
(law fp-is-negative-as-lt equivalent {_X} (fp.isNegative x) (or (fp.lt x {_ZERO}) (= x {_MINUS_ZERO})))
(law fp-zeros-alike equivalent {_X} (fp.lt x {_MINUS_ZERO}) (fp.lt x {_ZERO}))
(law fp-leq-infinity equivalent {_X} (fp.leq x (_ +oo e s)) (not (fp.isNaN x)))
(law fp-to-real-lt equivalent {_XY} (fp.lt x y) (< (fp.to_real x) (fp.to_real y)) :if {_BOTH_FINITE})
(law fp-to-real-eq equivalent {_XY} (fp.eq x y) (= (fp.to_real x) (fp.to_real y)) :if {_BOTH_FINITE})
(law fp-lt-weaker-leq implies {_XY} (fp.lt x y) (fp.leq x y))
(law fp-lt-weaker-not-eq implies {_XY} (fp.lt x y) (not (fp.eq x y)))
(law fp-lt-weaker-distinct implies {_XY} (fp.lt x y) (distinct x y))
(law fp-lt-weaker-not-geq implies {_XY} (fp.lt x y) (not (fp.geq x y)))
(law fp-gt-weaker-geq implies {_XY} (fp.gt x y) (fp.geq x y))
(law fp-gt-weaker-not-eq implies {_XY} (fp.gt x y) (not (fp.eq x y)))
(law fp-gt-weaker-distinct implies {_XY} (fp.gt x y) (distinct x y))
(law fp-leq-weaker-not-gt implies {_XY} (fp.leq x y) (not (fp.gt x y)))
(law fp-eq-weaker-leq implies {_XY} (fp.eq x y) (fp.leq x y))
(law fp-eq-weaker-geq implies {_XY} (fp.eq x y) (fp.geq x y))
(law fp-eq-stronger-bounds implies {_XYA} (and (fp.leq a x a) (fp.leq a y a)) (fp.eq x y))
(law fp-not-eq-weaker-constant implies {_XYA} (not (fp.eq x y)) (not (and (fp.eq x a) (fp.eq y a))))
(law fp-eq-stronger-constant implies {_XYA} (and (fp.eq x a) (fp.eq y a)) (fp.eq x y))
(law fp-lt-stronger-between implies {_XYA} (and (fp.leq x a) (fp.lt a y)) (fp.lt x y))
(law fp-leq-stronger-between implies {_XYA} (and (fp.leq x a) (fp.leq a y)) (fp.leq x y))
(law fp-leq-weaker-max implies {_XYA} (fp.leq x y) (fp.leq x (fp.max y a)))
(law fp-leq-weaker-min implies {_XYA} (fp.leq x y) (fp.leq (fp.min x a) y))
(law fp-leq-weaker-round implies ((r RoundingMode) (x {_FP}) (y {_FP}))
  (fp.leq x y) (fp.leq (fp.roundToIntegral r x) (fp.roundToIntegral r y)))
(law fp-leq-weaker-add implies ((r RoundingMode) (x {_FP}) (y {_FP}) (a {_FP})) (fp.leq x y)
  (fp.leq (fp.add r x a) (fp.add r y a)) :if (not (or (fp.isNaN (fp.add r x a)) (fp.isNaN (fp.add r y a)))))
(law fp-identity-weaker-eq implies {_XY} (= x y) (or (fp.eq x y) (and (fp.isNaN x) (fp.isNaN y))))
(law fp-identity-weaker-neg implies {_XY} (= x y) (= (fp.neg x) (fp.neg y)))
(law fp-identity-weaker-sign implies {_XY} (= x y) (= (fp.isNegative x) (fp.isNegative y)))
(law fp-is-subnormal-weaker-not-zero implies {_X} (fp.isSubnormal x) (not (fp.isZero x)))
(law fp-is-subnormal-weaker-lt implies {_X} (fp.isSubnormal x) (fp.lt (fp.abs x) {_ONE}))
(law fp-is-normal-weaker-not-nan implies {_X} (fp.isNormal x) (not (fp.isNaN x)))
(law fp-is-zero-weaker-not-normal implies {_X} (fp.isZero x) (not (fp.isNormal x)))
(law fp-is-infinite-weaker-not-zero implies {_X} (fp.isInfinite x) (not (fp.isZero x)))
(law fp-is-nan-weaker-not-negative implies {_X} (fp.isNaN x) (not (fp.isNegative x)))
(law fp-is-negative-weaker-leq implies {_X} (fp.isNegative x) (fp.leq x {_ZERO}))
(law fp-is-negative-weaker-not-positive implies {_X} (fp.isNegative x) (not (fp.isPositive x)))
(law fp-is-negative-stronger-lt implies {_X} (fp.lt x {_ZERO}) (fp.isNegative x))
(law fp-is-positive-stronger-gt implies {_X} (fp.gt x {_ZERO}) (fp.isPositive x))
"""
_TERMS = f"""
(law fp-neg-neg equivalent {_X} (fp.neg (fp.neg x)) x)
(law fp-abs-abs equivalent {_X} (fp.abs (fp.abs x)) (fp.abs x))
(law fp-abs-neg equivalent {_X} (fp.abs (fp.neg x)) (fp.abs x))
(law fp-abs-as-ite equivalent {_X} (fp.abs x) (ite (fp.isNegative x) (fp.neg x) x))
(law fp-abs-not-negative equivalent {_X} (fp.isNegative (fp.abs x)) false)
(law fp-add-commutes equivalent {_RXY} (fp.add r x y) (fp.add r y x))
(law fp-mul-commutes equivalent {_RXY} (fp.mul r x y) (fp.mul r y x))
(law fp-fma-commutes equivalent {_RXYZ} (fp.fma r x y z) (fp.fma r y x z))
(law fp-sub-as-add equivalent {_RXY} (fp.sub r x y) (fp.add r x (fp.neg y)))
(law fp-mul-neg-neg equivalent {_RXY} (fp.mul r (fp.neg x) (fp.neg y)) (fp.mul r x y))
(law fp-div-neg-neg equivalent {_RXY} (fp.div r (fp.neg x) (fp.neg y)) (fp.div r x y))
(law fp-fma-neg-neg equivalent {_RXYZ} (fp.fma r (fp.neg x) (fp.neg y) z) (fp.fma r x y z))
(law fp-mul-neg-nearest equivalent {_XY} (fp.mul RNE (fp.neg x) y) (fp.neg (fp.mul RNE x y)))
(law fp-mul-neg-truncating equivalent {_XY} (fp.mul RTZ (fp.neg x) y) (fp.neg (fp.mul RTZ x y)))
(law fp-mul-neg-directed equivalent {_XY} (fp.mul RTP (fp.neg x) y) (fp.neg (fp.mul RTN x y)))
(law fp-div-neg-nearest equivalent {_XY} (fp.div RNE (fp.neg x) y) (fp.neg (fp.div RNE x y)))
(law fp-div-neg-directed equivalent {_XY} (fp.div RTN x (fp.neg y)) (fp.neg (fp.div RTP x y)))
(law fp-add-neg-directed equivalent {_XY} (fp.add RTP (fp.neg x) (fp.neg y)) (fp.neg (fp.add RTN x y)))
(law fp-sub-turned-directed equivalent {_XY} (fp.sub RTN x y) (fp.neg (fp.sub RTP y x)))
(law fp-mul-one equivalent {_RX} (fp.mul r x {_ONE}) x)
(law fp-div-one equivalent {_RX} (fp.div r x {_ONE}) x)
(law fp-add-minus-zero equivalent {_RX} (fp.add r x {_MINUS_ZERO}) x :if (distinct r RTN))
(law fp-add-zero-down equivalent {_X} (fp.add RTN x {_ZERO}) x)
(law fp-sub-zero equivalent {_RX} (fp.sub r x {_ZERO}) x :if (distinct r RTN))
(law fp-add-same equivalent {_RX} (fp.add r x x) (fp.mul r {_TWO} x))
(law fp-sub-same equivalent {_RX} (fp.sub r x x) {_ZERO} :if (and (distinct r RTN) {_FINITE}))
(law fp-sub-same-down equivalent {_X} (fp.sub RTN x x) {_MINUS_ZERO} :if {_FINITE})
(law fp-div-same equivalent {_RX} (fp.div r x x) {_ONE} :if (and {_FINITE} (not (fp.isZero x))))
(law fp-fma-one equivalent {_RXY} (fp.fma r x {_ONE} y) (fp.add r x y))
(law fp-fma-minus-zero equivalent {_RXY} (fp.fma r x y {_MINUS_ZERO}) (fp.mul r x y) :if (distinct r RTN))
(law fp-sqrt-square-nan equivalent {_RX} (fp.isNaN (fp.sqrt r x)) (or (fp.isNaN x) (fp.lt x {_ZERO})))
(law fp-round-twice equivalent ((r RoundingMode) (q RoundingMode) (x {_FP}))
  (fp.roundToIntegral r (fp.roundToIntegral q x)) (fp.roundToIntegral q x))
(law fp-round-neg-nearest equivalent {_X}
  (fp.roundToIntegral RNE (fp.neg x)) (fp.neg (fp.roundToIntegral RNE x)))
(law fp-round-neg-directed equivalent {_X}
  (fp.roundToIntegral RTP (fp.neg x)) (fp.neg (fp.roundToIntegral RTN x)))
(law fp-round-truncates equivalent {_X} (fp.roundToIntegral RTZ x)
  (ite (fp.isNegative x) (fp.roundToIntegral RTP x) (fp.roundToIntegral RTN x)))
(law fp-rem-neg-divisor equivalent {_XY} (fp.rem x (fp.neg y)) (fp.rem x y))
(law fp-rem-neg-dividend equivalent {_XY} (fp.rem (fp.neg x) y) (fp.neg (fp.rem x y)))
(law fp-min-same equivalent {_X} (fp.min x x) x)
(law fp-max-same equivalent {_X} (fp.max x x) x)
(law fp-min-nan equivalent {_X} (fp.min x {_NAN}) x)
(law fp-max-nan equivalent {_X} (fp.max {_NAN} x) x)
(law fp-min-commutes equivalent {_XY} (fp.min x y) (fp.min y x) :if (not (and (fp.isZero x) (fp.isZero y))))
(law fp-max-commutes equivalent {_XY} (fp.max x y) (fp.max y x) :if (not (and (fp.isZero x) (fp.isZero y))))
(law fp-max-as-min equivalent {_XY} (fp.max x y) (fp.neg (fp.min (fp.neg x) (fp.neg y)))
  :if (not (and (fp.isZero x) (fp.isZero y))))
(law fp-min-as-ite equivalent {_XY} (fp.min x y) (ite (fp.leq x y) x y)
  :if (not (or (fp.isNaN x) (fp.isNaN y) (and (fp.isZero x) (fp.isZero y)))))
(law fp-to-fp-same equivalent {_RX} ((_ to_fp e s) r x) x)
(law fp-to-fp-wider-back equivalent ((r RoundingMode) (q RoundingMode) (x {_FP}))
  ((_ to_fp e s) r ((_ to_fp (+ e 1) (+ s 2)) q x)) x)
(law fp-to-fp-wider-lt equivalent {_RXY}
  (fp.lt ((_ to_fp (+ e 1) (+ s 1)) r x) ((_ to_fp (+ e 1) (+ s 1)) r y)) (fp.lt x y))
(law fp-to-fp-of-concat equivalent ((a (_ BitVec 1)) (b (_ BitVec e)) (c (_ BitVec i)))
  ((_ to_fp e (+ i 1)) (concat a b c)) (fp a b c) :where (< 1 e) :where (< 0 i) :where (< i 4) :where (< e 4))
(law fp-neg-of-triple equivalent ((a (_ BitVec 1)) (b (_ BitVec e)) (c (_ BitVec i)))
  (fp.neg (fp a b c)) (fp (bvnot a) b c) :where (< 1 e) :where (< 0 i) :where (< i 4) :where (< e 4))
(law fp-fuse-neg inverse ((x {_FP}) (z {_FP})) (= z (fp.neg x)) (= x (fp.neg z)))
(law fp-fuse-wider inverse ((r RoundingMode) (x {_FP}) (z (_ FloatingPoint (+ e 1) (+ s 1))))
  (= z ((_ to_fp (+ e 1) (+ s 1)) r x)) (= x ((_ to_fp e s) r z)))
(law fp-fuse-sign-of inverse ((x {_FP}) (y {_FP}) (z {_FP}))
  (= z (ite (fp.isNegative y) (fp.neg x) x)) (= x (ite (fp.isNegative y) (fp.neg z) z)))
(law fp-fuse-sign inverse ((p Bool) (x {_FP}) (z {_FP}))
  (= z (ite p (fp.neg x) x)) (= x (ite p (fp.neg z) z)))
"""

LAWS = LawTable("FloatingPoint", _orders() + _RELATIONS + _TERMS)
