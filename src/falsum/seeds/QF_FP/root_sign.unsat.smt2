; no root is negative, and roots of negatives are NaN
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 8 24))
(assert (not (fp.isZero x)))
(assert (xor (fp.isNegative x) (fp.isNegative (fp.sqrt RNA x)) (fp.isPositive (fp.sqrt RTZ x)) (fp.isNaN x) (fp.isPositive x) (fp.isNegative x)))
(assert (not (= (fp.isNaN (fp.sqrt RNE x)) (or (fp.isNegative x) (fp.isNaN x)))))
(check-sat)
