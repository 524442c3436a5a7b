; an exact zero sum is positive unless rounding down
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 8 24))
(declare-const m RoundingMode)
(assert (not (or (fp.isNaN x) (fp.isInfinite x))))
(assert (distinct m RTN))
(assert (distinct (fp.sub m x x) (_ +zero 8 24)))
(check-sat)
