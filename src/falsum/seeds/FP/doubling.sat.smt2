; in some rounding mode a finite float other than zero is its own double
(set-logic FP)
(set-info :status sat)
(declare-const m RoundingMode)
(assert (not (forall ((x (_ FloatingPoint 8 24))) (=> (fp.eq (fp.add m x x) x) (or (fp.isZero x) (fp.isInfinite x))))))
(check-sat)
