; NaN equals itself, compares with nothing and passes through arithmetic
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 8 24))
(declare-const m RoundingMode)
(assert (fp.isNaN x))
(assert (or (fp.leq x x) (fp.geq x x) (distinct x (_ NaN 8 24)) (not (fp.isNaN (fp.add m x x)))
  (fp.isNegative x) (fp.isPositive x) (not (= (fp.min x (_ -oo 8 24)) (fp.max (_ -oo 8 24) x)))))
(check-sat)
