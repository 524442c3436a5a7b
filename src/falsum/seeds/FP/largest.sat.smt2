; there is a largest finite float
(set-logic FP)
(set-info :status sat)
(declare-const big (_ FloatingPoint 8 24))
(assert (not (fp.isInfinite big)))
(assert (forall ((x (_ FloatingPoint 8 24))) (or (fp.isNaN x) (fp.isInfinite x) (fp.leq x big))))
(check-sat)
