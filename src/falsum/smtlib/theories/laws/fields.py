"""Laws of finite fields of prime order."""

from __future__ import annotations

from falsum.smtlib.theories.law import LawTable

_F = "(_ FiniteField p)"
_X, _XY, _XYZ = f"((x {_F}))", f"((x {_F}) (y {_F}))", f"((x {_F}) (y {_F}) (z {_F}))"
_ZERO, _ONE, _MINUS_ONE = f"(as ff0 {_F})", f"(as ff1 {_F})", f"(as ff-1 {_F})"
_TABLE = f"""
(law ff-add-commutes equivalent {_XY} (ff.add x y) (ff.add y x))
(law ff-mul-commutes equivalent {_XY} (ff.mul x y) (ff.mul y x))
(law ff-add-associates equivalent {_XYZ} (ff.add (ff.add x y) z) (ff.add x (ff.add y z)))
(law ff-mul-associates equivalent {_XYZ} (ff.mul (ff.mul x y) z) (ff.mul x (ff.mul y z)))
(law ff-add-three equivalent {_XYZ} (ff.add x y z) (ff.add (ff.add x y) z))
(law ff-add-zero equivalent {_X} (ff.add x {_ZERO}) x)
(law ff-mul-one equivalent {_X} (ff.mul x {_ONE}) x)
(law ff-mul-zero equivalent {_X} (ff.mul x {_ZERO}) {_ZERO})
(law ff-neg-neg equivalent {_X} (ff.neg (ff.neg x)) x)
(law ff-add-neg equivalent {_X} (ff.add x (ff.neg x)) {_ZERO})
(law ff-neg-as-mul equivalent {_X} (ff.neg x) (ff.mul {_MINUS_ONE} x))
(law ff-neg-add equivalent {_XY} (ff.neg (ff.add x y)) (ff.add (ff.neg x) (ff.neg y)))
(law ff-neg-mul equivalent {_XY} (ff.neg (ff.mul x y)) (ff.mul (ff.neg x) y))
(law ff-mul-distributes equivalent {_XYZ} (ff.mul x (ff.add y z)) (ff.add (ff.mul x y) (ff.mul x z)))
(law ff-bitsum-two equivalent {_XY} (ff.bitsum x y) (ff.add x (ff.add y y)))
(law ff-eq-shifted equivalent {_XYZ} (= x y) (= (ff.add x z) (ff.add y z)))
(law ff-eq-difference equivalent {_XY} (= x y) (= (ff.add x (ff.neg y)) {_ZERO}))
(law ff-mul-is-zero equivalent {_XY} (= (ff.mul x y) {_ZERO}) (or (= x {_ZERO}) (= y {_ZERO})))
(law ff-eq-weaker-mul implies {_XYZ} (= x y) (= (ff.mul x z) (ff.mul y z)))
(law ff-eq-stronger-mul implies {_XYZ} (= (ff.mul x z) (ff.mul y z)) (= x y) :if (distinct z {_ZERO}))
(law ff-eq-weaker-square implies {_XY} (= x y) (= (ff.mul x x) (ff.mul y y)))
(law ff-fuse-add inverse {_XYZ}
  (= z (ff.add x y)) (and (= x (ff.add z (ff.neg y))) (= y (ff.add z (ff.neg x)))))
(law ff-fuse-neg inverse {_XYZ} (= z (ff.neg (ff.add x y)))
  (and (= x (ff.neg (ff.add z y))) (= y (ff.neg (ff.add x z)))))
"""

LAWS = LawTable("FiniteFields", _TABLE)
