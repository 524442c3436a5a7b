; rounding down never exceeds rounding up
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 8 24))
(declare-const y (_ FloatingPoint 8 24))
(declare-const m RoundingMode)
(assert (or (fp.lt (fp.mul roundTowardPositive x y) (fp.mul m x y)) (fp.gt (fp.mul roundTowardNegative x y) (fp.mul m x y))))
(check-sat)
