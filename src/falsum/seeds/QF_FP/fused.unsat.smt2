; fused multiply-add with a zero addend is the product, but for signs of zero
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 5 11))
(declare-const y (_ FloatingPoint 5 11))
(assert (not (fp.eq (fp.fma RNE x y (_ +zero 5 11)) (fp.mul RNE x y))))
(assert (not (fp.isNaN (fp.mul RTZ y x))))
(check-sat)
