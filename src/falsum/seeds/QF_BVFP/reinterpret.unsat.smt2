; the bits of a float with the sign flipped are its negation
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const b (_ BitVec 32))
(declare-const x (_ FloatingPoint 8 24))
(assert (= x ((_ to_fp 8 24) b)))
(assert (distinct (fp.neg x) ((_ to_fp 8 24) (bvxor b #x80000000))))
(check-sat)
