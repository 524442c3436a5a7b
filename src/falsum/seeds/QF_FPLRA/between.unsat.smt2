; between neighbours there is no float
(set-logic QF_FPLRA)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(assert (not (fp.isInfinite x)))
(assert (not (fp.isNaN x)))
(assert (< (/ 5 4) (fp.to_real x) (/ 11 8)))
(check-sat)
