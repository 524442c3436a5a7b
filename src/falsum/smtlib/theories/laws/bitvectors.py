"""Laws of FixedSizeBitVectors. All operators are total, so few laws need a condition."""

from __future__ import annotations

from falsum.smtlib.theories.law import LawTable

_BV = "(_ BitVec m)"
_X, _XY = f"((x {_BV}))", f"((x {_BV}) (y {_BV}))"
_XYZ, _XYA = f"((x {_BV}) (y {_BV}) (z {_BV}))", f"((x {_BV}) (y {_BV}) (a {_BV}))"
_ZERO, _ONE, _ONES = "(_ bv 0 m)", "(_ bv 1 m)", "(_ bv (- (** 2 m) 1) m)"
_MIN = "(_ bv (** 2 (- m 1)) m)"
_COMMUTE = "bvand bvor bvxor bvadd bvmul bvnand bvnor bvxnor bvcomp bvuaddo bvsaddo bvumulo bvsmulo".split()
_ASSOCIATE = "bvand bvor bvxor bvadd bvmul bvxnor".split()
_BITWISE = "bvand bvor bvxor".split()
# An operator, its converse, its negation, and the corresponding weak inequality.
_ORDERS = (
    ("bvult", "bvugt", "bvuge", "bvule"),
    ("bvule", "bvuge", "bvugt", "bvule"),
    ("bvugt", "bvult", "bvule", "bvuge"),
    ("bvuge", "bvule", "bvult", "bvuge"),
    ("bvslt", "bvsgt", "bvsge", "bvsle"),
    ("bvsle", "bvsge", "bvsgt", "bvsle"),
    ("bvsgt", "bvslt", "bvsle", "bvsge"),
    ("bvsge", "bvsle", "bvslt", "bvsge"),
)


def _families() -> str:
    out = [f"(law {op}-commutes equivalent {_XY} ({op} x y) ({op} y x))" for op in _COMMUTE]
    out += [
        f"(law {op}-associates equivalent {_XYZ} ({op} ({op} x y) z) ({op} x ({op} y z)))"
        for op in _ASSOCIATE
    ]
    out += [
        f"""
        (law {op}-extract equivalent {_XY}
          ((_ extract i j) ({op} x y)) ({op} ((_ extract i j) x) ((_ extract i j) y))
          :where (<= 0 j i) :where (< i m))
        (law {op}-concat equivalent ((x {_BV}) (y (_ BitVec n)) (u {_BV}) (v (_ BitVec n)))
          ({op} (concat x y) (concat u v)) (concat ({op} x u) ({op} y v)))
        """
        for op in _BITWISE
    ]
    out += [
        f"""
        (law {op}-extract-low equivalent {_XY}
          ((_ extract i 0) ({op} x y)) ({op} ((_ extract i 0) x) ((_ extract i 0) y)) :where (< i m))
        (law {op}-lift-ite equivalent ((p Bool) (x {_BV}) (y {_BV}) (z {_BV}))
          ({op} (ite p x y) z) (ite p ({op} x z) ({op} y z)))
        """
        for op in ("bvadd", "bvmul", "bvsub")
    ]
    return "".join(out)


def _orders() -> str:
    out = []
    for op, converse, negation, weak in _ORDERS:
        out.append(f"(law {op}-swapped equivalent {_XY} ({op} x y) ({converse} y x))")
        out.append(f"(law not-{op} equivalent {_XY} (not ({op} x y)) ({negation} x y))")
        between = f"(and ({weak} x a) ({op} a y))"
        out.append(f"(law {op}-stronger-between implies {_XYA} {between} ({op} x y))")
        if op == weak:
            strict = op[:-1] + "t"
            out.append(f"(law {op}-as-or equivalent {_XY} ({op} x y) (or ({strict} x y) (= x y)))")
            out.append(f"(law eq-weaker-{op} implies {_XY} (= x y) ({op} x y))")
            bounds = f"(and ({op} a x) ({op} x a) ({op} a y) ({op} y a))"
            out.append(f"(law eq-stronger-{op} implies {_XYA} {bounds} (= x y))")
        else:
            out.append(f"(law {op}-weaker-{weak} implies {_XY} ({op} x y) ({weak} x y))")
            out.append(f"(law {op}-weaker-distinct implies {_XY} ({op} x y) (distinct x y))")
            out.append(f"(law {op}-same equivalent {_X} ({op} x x) false)")
    return "".join(out)


_WORDS = f"""
(law bvand-ones equivalent {_X} (bvand x {_ONES}) x)
(law bvand-zero equivalent {_X} (bvand x {_ZERO}) {_ZERO})
(law bvor-zero equivalent {_X} (bvor x {_ZERO}) x)
(law bvor-ones equivalent {_X} (bvor x {_ONES}) {_ONES})
(law bvxor-zero equivalent {_X} (bvxor x {_ZERO}) x)
(law bvxor-ones equivalent {_X} (bvxor x {_ONES}) (bvnot x))
(law bvadd-zero equivalent {_X} (bvadd x {_ZERO}) x)
(law bvsub-zero equivalent {_X} (bvsub x {_ZERO}) x)
(law bvmul-one equivalent {_X} (bvmul x {_ONE}) x)
(law bvmul-zero equivalent {_X} (bvmul x {_ZERO}) {_ZERO})
(law bvmul-ones equivalent {_X} (bvmul x {_ONES}) (bvneg x))
(law bvand-same equivalent {_X} (bvand x x) x)
(law bvor-same equivalent {_X} (bvor x x) x)
(law bvxor-same equivalent {_X} (bvxor x x) {_ZERO})
(law bvsub-same equivalent {_X} (bvsub x x) {_ZERO})
(law bvadd-same equivalent {_X} (bvadd x x) (bvshl x {_ONE}))
(law bvand-not equivalent {_X} (bvand x (bvnot x)) {_ZERO})
(law bvor-not equivalent {_X} (bvor x (bvnot x)) {_ONES})
(law bvand-absorbs equivalent {_XY} (bvand x (bvor x y)) x)
(law bvor-absorbs equivalent {_XY} (bvor x (bvand x y)) x)
(law bvnot-bvnot equivalent {_X} (bvnot (bvnot x)) x)
(law bvneg-bvneg equivalent {_X} (bvneg (bvneg x)) x)
(law bvneg-as-bvnot equivalent {_X} (bvneg x) (bvadd (bvnot x) {_ONE}))
(law bvneg-as-bvsub equivalent {_X} (bvneg x) (bvsub {_ZERO} x))
(law bvnot-as-bvneg equivalent {_X} (bvnot x) (bvsub (bvneg x) {_ONE}))
(law bvnot-bvand equivalent {_XY} (bvnot (bvand x y)) (bvor (bvnot x) (bvnot y)))
(law bvnot-bvor equivalent {_XY} (bvnot (bvor x y)) (bvand (bvnot x) (bvnot y)))
(law bvnot-bvxor equivalent {_XY} (bvnot (bvxor x y)) (bvxor (bvnot x) y))
(law bvnot-bvadd equivalent {_XY} (bvnot (bvadd x y)) (bvsub (bvnot x) y))
(law bvnot-bvsub equivalent {_XY} (bvnot (bvsub x y)) (bvadd (bvnot x) y))
(law bvneg-bvadd equivalent {_XY} (bvneg (bvadd x y)) (bvadd (bvneg x) (bvneg y)))
(law bvneg-bvmul equivalent {_XY} (bvneg (bvmul x y)) (bvmul (bvneg x) y))
(law bvneg-bvsub equivalent {_XY} (bvneg (bvsub x y)) (bvsub y x))
(law bvsub-as-bvadd equivalent {_XY} (bvsub x y) (bvadd x (bvneg y)))
(law bvnand-as-bvand equivalent {_XY} (bvnand x y) (bvnot (bvand x y)))
(law bvnor-as-bvor equivalent {_XY} (bvnor x y) (bvnot (bvor x y)))
(law bvxnor-as-bvxor equivalent {_XY} (bvxnor x y) (bvnot (bvxor x y)))
(law bvxor-as-bvor equivalent {_XY} (bvxor x y) (bvor (bvand x (bvnot y)) (bvand (bvnot x) y)))
(law bvxor-as-bvsub equivalent {_XY} (bvxor x y) (bvsub (bvor x y) (bvand x y)))
(law bvadd-as-bvor equivalent {_XY} (bvadd x y) (bvadd (bvor x y) (bvand x y)))
(law bvor-as-bvadd equivalent {_XY} (bvor x y) (bvadd (bvand x (bvnot y)) y))
(law bvand-distributes equivalent {_XYZ} (bvand x (bvor y z)) (bvor (bvand x y) (bvand x z)))
(law bvor-distributes equivalent {_XYZ} (bvor x (bvand y z)) (bvand (bvor x y) (bvor x z)))
(law bvmul-distributes equivalent {_XYZ} (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul x z)))
(law bvcomp-as-ite equivalent {_XY} (bvcomp x y) (ite (= x y) #b1 #b0))
(law eq-bvxor equivalent {_XY} (= x y) (= (bvxor x y) {_ZERO}))
(law eq-bvsub equivalent {_XY} (= x y) (= (bvsub x y) {_ZERO}))
(law eq-bvnot equivalent {_XY} (= x y) (= (bvnot x) (bvnot y)))
(law eq-bvadd equivalent {_XYZ} (= x y) (= (bvadd x z) (bvadd y z)))
(law bvudiv-one equivalent {_X} (bvudiv x {_ONE}) x)
(law bvurem-one equivalent {_X} (bvurem x {_ONE}) {_ZERO})
(law bvsdiv-one equivalent {_X} (bvsdiv x {_ONE}) x)
(law bvsrem-one equivalent {_X} (bvsrem x {_ONE}) {_ZERO})
(law bvsmod-one equivalent {_X} (bvsmod x {_ONE}) {_ZERO})
(law bvudiv-zero equivalent {_X} (bvudiv x {_ZERO}) {_ONES})
(law bvurem-zero equivalent {_X} (bvurem x {_ZERO}) x)
(law bvsdiv-zero equivalent {_X} (bvsdiv x {_ZERO}) (ite (bvslt x {_ZERO}) {_ONE} {_ONES}))
(law bvsrem-zero equivalent {_X} (bvsrem x {_ZERO}) x)
(law bvsmod-zero equivalent {_X} (bvsmod x {_ZERO}) x)
(law bvurem-same equivalent {_X} (bvurem x x) {_ZERO})
(law bvudiv-same equivalent {_X} (bvudiv x x) (ite (= x {_ZERO}) {_ONES} {_ONE}))
(law bvsdiv-ones equivalent {_X} (bvsdiv x {_ONES}) (bvneg x))
(law bvudiv-bvurem equivalent {_XY} (bvadd (bvmul (bvudiv x y) y) (bvurem x y)) x)
(law bvsdiv-bvsrem equivalent {_XY} (bvadd (bvmul (bvsdiv x y) y) (bvsrem x y)) x)
(law bvurem-bvurem equivalent {_XY} (bvurem (bvurem x y) y) (bvurem x y))
(law bvsrem-neg equivalent {_XY} (bvsrem x (bvneg y)) (bvsrem x y))
(law bvsmod-as-bvsrem equivalent {_XY} (bvsmod x y)
  (ite (or (= (bvsrem x y) {_ZERO}) (= (bvslt x {_ZERO}) (bvslt y {_ZERO})))
    (bvsrem x y) (bvadd (bvsrem x y) y)))
(law bvshl-zero equivalent {_X} (bvshl x {_ZERO}) x)
(law bvlshr-zero equivalent {_X} (bvlshr x {_ZERO}) x)
(law bvashr-zero equivalent {_X} (bvashr x {_ZERO}) x)
(law bvshl-of-zero equivalent {_X} (bvshl {_ZERO} x) {_ZERO})
(law bvashr-of-ones equivalent {_X} (bvashr {_ONES} x) {_ONES})
(law bvshl-far equivalent {_XY} (bvshl x y) {_ZERO} :if (bvuge y (_ bv m m)))
(law bvlshr-far equivalent {_XY} (bvlshr x y) {_ZERO} :if (bvuge y (_ bv m m)))
(law bvashr-far equivalent {_XY}
  (bvashr x y) (ite (bvslt x {_ZERO}) {_ONES} {_ZERO}) :if (bvuge y (_ bv m m)))
(law bvshl-as-bvmul equivalent {_XY} (bvshl x y) (bvmul x (bvshl {_ONE} y)))
(law bvlshr-as-bvudiv equivalent {_XY} (bvlshr x y) (bvudiv x (bvshl {_ONE} y)) :if (bvult y (_ bv m m)))
(law bvashr-as-bvlshr equivalent {_XY}
  (bvashr x y) (ite (bvslt x {_ZERO}) (bvnot (bvlshr (bvnot x) y)) (bvlshr x y)))
(law bvashr-bvnot equivalent {_XY} (bvashr (bvnot x) y) (bvnot (bvashr x y)))
(law bvshl-bvand equivalent {_XYZ} (bvshl (bvand x y) z) (bvand (bvshl x z) (bvshl y z)))
(law bvlshr-bvxor equivalent {_XYZ} (bvlshr (bvxor x y) z) (bvxor (bvlshr x z) (bvlshr y z)))
(law bvshl-bvadd equivalent {_XYZ} (bvshl (bvadd x y) z) (bvadd (bvshl x z) (bvshl y z)))
(law bvshl-constant equivalent {_X}
  (bvshl x (_ bv i m)) (concat ((_ extract (- m (+ i 1)) 0) x) (_ bv 0 i)) :where (< 0 i m))
(law bvlshr-constant equivalent {_X}
  (bvlshr x (_ bv i m)) (concat (_ bv 0 i) ((_ extract (- m 1) i) x)) :where (< 0 i m))
(law bvult-zero equivalent {_X} (bvult x {_ZERO}) false)
(law bvule-zero equivalent {_X} (bvule x {_ZERO}) (= x {_ZERO}))
(law bvult-one equivalent {_X} (bvult x {_ONE}) (= x {_ZERO}))
(law bvuge-zero equivalent {_X} (bvuge x {_ZERO}) true)
(law bvule-ones equivalent {_X} (bvule x {_ONES}) true)
(law bvuge-ones equivalent {_X} (bvuge x {_ONES}) (= x {_ONES}))
(law bvsge-min equivalent {_X} (bvsge x {_MIN}) true)
(law bvsle-min equivalent {_X} (bvsle x {_MIN}) (= x {_MIN}))
(law bvslt-as-bvult equivalent {_XY} (bvslt x y) (bvult (bvxor x {_MIN}) (bvxor y {_MIN})))
(law bvslt-zero-as-extract equivalent {_X} (bvslt x {_ZERO}) (= ((_ extract (- m 1) (- m 1)) x) #b1))
(law bvult-bvnot equivalent {_XY} (bvult x y) (bvult (bvnot y) (bvnot x)))
(law bvslt-bvnot equivalent {_XY} (bvslt x y) (bvslt (bvnot y) (bvnot x)))
(law bvult-bvurem equivalent {_XY} (bvult (bvurem x y) y) true :if (distinct y {_ZERO}))
(law bvule-bvudiv equivalent {_XY} (bvule (bvudiv x y) x) true :if (distinct y {_ZERO}))
(law bvule-bvand equivalent {_XY} (bvule (bvand x y) x) true)
(law bvuge-bvor equivalent {_XY} (bvuge (bvor x y) x) true)
(law bvult-as-extract equivalent {_XY} (bvult x y)
  (= ((_ extract m m) (bvsub ((_ zero_extend 1) x) ((_ zero_extend 1) y))) #b1))
(law bvule-weaker-bvor implies {_XYA} (bvule x y) (bvule x (bvor y a)))
(law bvult-weaker-bvor implies {_XYA} (bvult x y) (bvult x (bvor y a)))
(law bvule-weaker-bvand implies {_XYA} (bvule x y) (bvule (bvand x a) y))
(law bvule-weaker-bvurem implies {_XYA} (bvule x y) (bvule (bvurem x a) y))
(law bvule-weaker-bvlshr implies {_XYA} (bvule x y) (bvule (bvlshr x a) y))
(law bvule-stronger-bvor implies {_XYA} (bvule (bvor x a) y) (bvule x y))
(law bvule-stronger-bvand implies {_XYA} (bvule x (bvand y a)) (bvule x y))
(law bvult-stronger-bvor implies {_XYA} (bvult (bvor x a) y) (bvult x y))
(law bvult-stronger-bvand implies {_XYA} (bvult x (bvand y a)) (bvult x y))
(law bvule-weaker-slack implies {_XYA} (bvule x y) (bvult x (bvadd y a)) :if (bvult y (bvadd y a)))
(law bvult-weaker-slack implies {_XYA} (bvult x y) (bvult x (bvadd y a)) :if (not (bvuaddo y a)))
(law bvsle-weaker-slack implies {_XYA} (bvsle x y) (bvslt x (bvadd y a)) :if (bvslt y (bvadd y a)))
(law bvult-weaker-not-zero implies {_XY} (bvult x y) (distinct y {_ZERO}))
(law bvult-weaker-not-ones implies {_XY} (bvult x y) (distinct x {_ONES}))
(law bvslt-weaker-not-min implies {_XY} (bvslt x y) (distinct y {_MIN}))
(law eq-weaker-extract implies {_XY} (= x y) (= ((_ extract i j) x) ((_ extract i j) y))
  :where (<= 0 j i) :where (< i m))
(law distinct-stronger-extract implies {_XY} (distinct ((_ extract i j) x) ((_ extract i j) y)) (distinct x y)
  :where (<= 0 j i) :where (< i m))
(law eq-weaker-bvand implies {_XYA} (= x y) (= (bvand x a) (bvand y a)))
(law eq-weaker-bvmul implies {_XYA} (= x y) (= (bvmul x a) (bvmul y a)))
"""
_PARTS = f"""
(law concat-associates equivalent ((x {_BV}) (y (_ BitVec n)) (z {_BV}))
  (concat (concat x y) z) (concat x (concat y z)))
(law concat-extracts equivalent {_X}
  (concat ((_ extract (- m 1) i) x) ((_ extract (- i 1) 0) x)) x :where (< 0 i m))
(law concat-extracts-adjacent equivalent {_X}
  (concat ((_ extract i (+ j 1)) x) ((_ extract j 0) x)) ((_ extract i 0) x) :where (<= 0 j) :where (< j i m))
(law extract-all equivalent {_X} ((_ extract (- m 1) 0) x) x)
(law extract-extract equivalent {_X} ((_ extract i j) ((_ extract k l) x)) ((_ extract (+ l i) (+ l j)) x)
  :where (<= 0 j i) :where (<= i (- k l)) :where (<= 0 l k) :where (< k m))
(law extract-concat-low equivalent ((x {_BV}) (y (_ BitVec n))) ((_ extract (- n 1) 0) (concat x y)) y)
(law extract-concat-high equivalent ((x {_BV}) (y (_ BitVec n)))
  ((_ extract (- (+ m n) 1) n) (concat x y)) x)
(law extract-bvnot equivalent {_X} ((_ extract i j) (bvnot x)) (bvnot ((_ extract i j) x))
  :where (<= 0 j i) :where (< i m))
(law extract-low-bvneg equivalent {_X} ((_ extract i 0) (bvneg x)) (bvneg ((_ extract i 0) x)) :where (< i m))
(law bvnot-concat equivalent ((x {_BV}) (y (_ BitVec n))) (bvnot (concat x y)) (concat (bvnot x) (bvnot y)))
(law eq-concat equivalent ((x {_BV}) (y (_ BitVec n)) (u {_BV}) (v (_ BitVec n)))
  (= (concat x y) (concat u v)) (and (= x u) (= y v)))
(law bvult-concat equivalent ((x {_BV}) (y (_ BitVec n)) (u {_BV}) (v (_ BitVec n)))
  (bvult (concat x y) (concat u v)) (or (bvult x u) (and (= x u) (bvult y v))))
(law zero-extend-none equivalent {_X} ((_ zero_extend 0) x) x)
(law sign-extend-none equivalent {_X} ((_ sign_extend 0) x) x)
(law zero-extend-as-concat equivalent {_X} ((_ zero_extend i) x) (concat (_ bv 0 i) x) :where (< 0 i))
(law sign-extend-as-concat equivalent {_X}
  ((_ sign_extend i) x) (concat ((_ repeat i) ((_ extract (- m 1) (- m 1)) x)) x) :where (< 0 i))
(law sign-extend-as-ite equivalent {_X}
  ((_ sign_extend i) x) (ite (bvslt x {_ZERO}) (concat (_ bv (- (** 2 i) 1) i) x) ((_ zero_extend i) x))
  :where (< 0 i))
(law zero-extend-twice equivalent {_X} ((_ zero_extend i) ((_ zero_extend j) x)) ((_ zero_extend (+ i j)) x)
  :where (<= 0 i) :where (<= 0 j))
(law sign-extend-twice equivalent {_X} ((_ sign_extend i) ((_ sign_extend j) x)) ((_ sign_extend (+ i j)) x)
  :where (<= 0 i) :where (<= 0 j))
(law zero-extend-bvult equivalent {_XY}
  (bvult ((_ zero_extend i) x) ((_ zero_extend i) y)) (bvult x y) :where (<= 0 i))
(law sign-extend-bvslt equivalent {_XY}
  (bvslt ((_ sign_extend i) x) ((_ sign_extend i) y)) (bvslt x y) :where (<= 0 i))
(law sign-extend-bvult equivalent {_XY}
  (bvult ((_ sign_extend i) x) ((_ sign_extend i) y)) (bvult x y) :where (<= 0 i))
(law zero-extend-eq equivalent {_XY}
  (= ((_ zero_extend i) x) ((_ zero_extend i) y)) (= x y) :where (<= 0 i))
(law sign-extend-bvnot equivalent {_X}
  ((_ sign_extend i) (bvnot x)) (bvnot ((_ sign_extend i) x)) :where (<= 0 i))
(law extract-zero-extend equivalent {_X} ((_ extract (- m 1) 0) ((_ zero_extend i) x)) x :where (<= 0 i))
(law extract-sign-extend equivalent {_X} ((_ extract (- m 1) 0) ((_ sign_extend i) x)) x :where (<= 0 i))
(law repeat-once equivalent {_X} ((_ repeat 1) x) x)
(law repeat-as-concat equivalent {_X} ((_ repeat (+ i 1)) x) (concat x ((_ repeat i) x)) :where (< 0 i))
(law rotate-left-as-concat equivalent {_X}
  ((_ rotate_left i) x) (concat ((_ extract (- m (+ i 1)) 0) x) ((_ extract (- m 1) (- m i)) x))
  :where (< 0 i m))
(law rotate-left-as-right equivalent {_X}
  ((_ rotate_left i) x) ((_ rotate_right (- m i)) x) :where (<= 0 i m))
(law rotate-left-right equivalent {_X} ((_ rotate_right i) ((_ rotate_left i) x)) x :where (<= 0 i))
(law rotate-left-width equivalent {_X} ((_ rotate_left m) x) x)
(law rotate-left-over equivalent {_X} ((_ rotate_left (+ m i)) x) ((_ rotate_left i) x) :where (<= 0 i))
(law rotate-left-as-shifts equivalent {_X}
  ((_ rotate_left i) x) (bvor (bvshl x (_ bv i m)) (bvlshr x (_ bv (- m i) m))) :where (< 0 i m))
(law rotate-left-bvnot equivalent {_X}
  ((_ rotate_left i) (bvnot x)) (bvnot ((_ rotate_left i) x)) :where (<= 0 i))
"""
_INTEGERS = f"""
(law int-to-bv-of-ubv equivalent {_X} ((_ int_to_bv m) (ubv_to_int x)) x)
(law int-to-bv-of-sbv equivalent {_X} ((_ int_to_bv m) (sbv_to_int x)) x)
(law ubv-to-int-of-int equivalent ((n Int))
  (ubv_to_int ((_ int_to_bv m) n)) (mod n (# (** 2 m))) :where (< 0 m))
(law ubv-to-int-eq equivalent {_XY} (= x y) (= (ubv_to_int x) (ubv_to_int y)))
(law ubv-to-int-bvult equivalent {_XY} (bvult x y) (< (ubv_to_int x) (ubv_to_int y)))
(law ubv-to-int-bvule equivalent {_XY} (bvule x y) (<= (ubv_to_int x) (ubv_to_int y)))
(law sbv-to-int-bvslt equivalent {_XY} (bvslt x y) (< (sbv_to_int x) (sbv_to_int y)))
(law sbv-to-int-as-ite equivalent {_X}
  (sbv_to_int x) (ite (bvslt x {_ZERO}) (- (ubv_to_int x) (# (** 2 m))) (ubv_to_int x)))
(law ubv-to-int-range equivalent {_X} (<= 0 (ubv_to_int x) (# (- (** 2 m) 1))) true)
(law ubv-to-int-bvadd equivalent {_XY}
  (ubv_to_int (bvadd x y)) (mod (+ (ubv_to_int x) (ubv_to_int y)) (# (** 2 m))))
(law ubv-to-int-bvnot equivalent {_X} (ubv_to_int (bvnot x)) (- (# (- (** 2 m) 1)) (ubv_to_int x)))
(law ubv-to-int-concat equivalent ((x {_BV}) (y (_ BitVec n)))
  (ubv_to_int (concat x y)) (+ (* (# (** 2 n)) (ubv_to_int x)) (ubv_to_int y)))
(law ubv-to-int-zero-extend equivalent {_X} (ubv_to_int ((_ zero_extend i) x)) (ubv_to_int x) :where (<= 0 i))
(law bvult-weaker-int implies {_XY} (bvult x y) (> (ubv_to_int y) 0))
"""
_OVERFLOWS = f"""
(law bvnego-as-eq equivalent {_X} (bvnego x) (= x {_MIN}))
(law bvuaddo-as-bvult equivalent {_XY} (bvuaddo x y) (bvult (bvadd x y) x))
(law bvuaddo-as-extract equivalent {_XY}
  (bvuaddo x y) (= ((_ extract m m) (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y))) #b1))
(law bvuaddo-as-bvnot equivalent {_XY} (bvuaddo x y) (bvult (bvnot x) y))
(law bvusubo-as-bvult equivalent {_XY} (bvusubo x y) (bvult x y))
(law bvsaddo-as-extend equivalent {_XY} (bvsaddo x y)
  (distinct (bvadd ((_ sign_extend 1) x) ((_ sign_extend 1) y)) ((_ sign_extend 1) (bvadd x y))))
(law bvsaddo-as-signs equivalent {_XY} (bvsaddo x y)
  (and (= (bvslt x {_ZERO}) (bvslt y {_ZERO})) (distinct (bvslt x {_ZERO}) (bvslt (bvadd x y) {_ZERO}))))
(law bvssubo-as-extend equivalent {_XY} (bvssubo x y)
  (distinct (bvsub ((_ sign_extend 1) x) ((_ sign_extend 1) y)) ((_ sign_extend 1) (bvsub x y))))
(law bvssubo-as-ite equivalent {_XY} (bvssubo x y) (ite (bvnego y) (bvsge x {_ZERO}) (bvsaddo x (bvneg y))))
(law bvsdivo-as-and equivalent {_XY} (bvsdivo x y) (and (= x {_MIN}) (= y {_ONES})))
(law bvumulo-as-extend equivalent {_XY} (bvumulo x y)
  (distinct (bvmul ((_ zero_extend m) x) ((_ zero_extend m) y)) ((_ zero_extend m) (bvmul x y))))
(law bvsmulo-as-extend equivalent {_XY} (bvsmulo x y)
  (distinct (bvmul ((_ sign_extend m) x) ((_ sign_extend m) y)) ((_ sign_extend m) (bvmul x y))))
(law bvuaddo-zero equivalent {_X} (bvuaddo x {_ZERO}) false)
(law bvumulo-one equivalent {_X} (bvumulo x {_ONE}) false)
(law bvsmulo-ones equivalent {_X} (bvsmulo x {_ONES}) (bvnego x))
(law bvnego-weaker-negative implies {_X} (bvnego x) (bvslt x {_ZERO}))
(law bvnego-weaker-same implies {_X} (bvnego x) (= (bvneg x) x))
(law bvuaddo-weaker-not-zero implies {_XY} (bvuaddo x y) (distinct x {_ZERO}))
(law bvuaddo-weaker-bvor implies {_XYA} (bvuaddo x y) (bvuaddo (bvor x a) y))
(law bvuaddo-stronger-bvand implies {_XYA} (bvuaddo (bvand x a) y) (bvuaddo x y))
(law bvumulo-weaker-bvor implies {_XYA} (bvumulo x y) (bvumulo (bvor x a) y))
(law bvumulo-weaker-not-zero implies {_XY} (bvumulo x y) (distinct x {_ZERO}))
(law bvumulo-stronger-bvand implies {_XYA} (bvumulo (bvand x a) y) (bvumulo x y))
(law bvsaddo-weaker-signs implies {_XY} (bvsaddo x y) (= (bvslt x {_ZERO}) (bvslt y {_ZERO})))
(law bvssubo-weaker-signs implies {_XY} (bvssubo x y) (distinct (bvslt x {_ZERO}) (bvslt y {_ZERO})))
(law bvssubo-weaker-distinct implies {_XY} (bvssubo x y) (distinct x y))
(law bvusubo-weaker-bvule implies {_XY} (bvusubo x y) (bvule x y))
(law bvsdivo-weaker-bvnego implies {_XY} (bvsdivo x y) (bvnego x))
(law bvsdivo-weaker-bvsmulo implies {_XY} (bvsdivo x y) (bvsmulo x y))
(law bvuge-weaker-bvor implies {_XYA} (bvuge x y) (bvuge (bvor x a) y))
(law bvuge-weaker-bvand implies {_XYA} (bvuge x y) (bvuge x (bvand y a)))
(law bvsge-weaker-between implies {_XYA} (bvsge x y) (or (bvsge x a) (bvsge a y)))
(law bvsaddo-stronger-negative-sum implies {_XY}
  (and (bvsgt x {_ZERO}) (bvsgt y {_ZERO}) (bvslt (bvadd x y) {_ZERO})) (bvsaddo x y))
(law bvssubo-stronger-negative-difference implies {_XY}
  (and (bvsge x {_ZERO}) (bvslt y {_ZERO}) (bvslt (bvsub x y) {_ZERO})) (bvssubo x y))
(law bvusubo-stronger-constant implies {_XYA} (and (bvule x a) (bvult a y)) (bvusubo x y))
(law bvsdivo-stronger-bvnego implies {_XY} (and (bvnego x) (= y {_ONES})) (bvsdivo x y))
(law bvsmulo-weaker-not-zero implies {_XY} (bvsmulo x y) (distinct y {_ZERO}))
"""
_FUSIONS = f"""
(law bv-fuse-bvadd inverse {_XYZ} (= z (bvadd x y)) (and (= x (bvsub z y)) (= y (bvsub z x))))
(law bv-fuse-bvsub inverse {_XYZ} (= z (bvsub x y)) (and (= x (bvadd z y)) (= y (bvsub x z))))
(law bv-fuse-bvxor inverse {_XYZ} (= z (bvxor x y)) (and (= x (bvxor z y)) (= y (bvxor x z))))
(law bv-fuse-bvxnor inverse {_XYZ} (= z (bvxnor x y)) (and (= x (bvxnor z y)) (= y (bvxnor x z))))
(law bv-fuse-bvnot inverse ((p Bool) (x {_BV}) (z {_BV})) (= z (ite p (bvnot x) x)) (= x (ite p (bvnot z) z)))
(law bv-fuse-bvneg inverse {_XYZ}
  (= z (bvneg (bvadd x y))) (and (= x (bvneg (bvadd z y))) (= y (bvneg (bvadd x z)))))
(law bv-fuse-constant inverse ((x {_BV}) (y {_BV}) (z {_BV}) (a {_BV}))
  (= z (bvadd (bvxor x a) y)) (and (= x (bvxor (bvsub z y) a)) (= y (bvsub z (bvxor x a)))))
(law bv-fuse-scaled inverse ((x {_BV}) (y {_BV}) (z {_BV}) (a {_BV}))
  (= z (bvadd (bvmul a x) y)) (= y (bvsub z (bvmul a x))))
(law bv-fuse-rotate inverse {_XYZ} (= z ((_ rotate_left i) (bvxor x y)))
  (and (= x (bvxor ((_ rotate_right i) z) y)) (= y (bvxor x ((_ rotate_right i) z)))) :where (<= 0 i))
(law bv-fuse-concat inverse ((x {_BV}) (y (_ BitVec n)) (z (_ BitVec (+ m n)))) (= z (concat x y))
  (and (= x ((_ extract (- (+ m n) 1) n) z)) (= y ((_ extract (- n 1) 0) z))))
(law bv-int-fuse inverse ((x {_BV}) (y Int) (z Int)) (= z (+ (ubv_to_int x) y))
  (and (= x ((_ int_to_bv m) (- z y))) (= y (- z (ubv_to_int x)))))
"""

LAWS = LawTable(
    "FixedSizeBitVectors",
    _families() + _orders() + _WORDS + _PARTS + _INTEGERS + _OVERFLOWS + _FUSIONS,
)
