; minimum and maximum of zeros are zeros, of others exact
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 8 24))
(declare-const y (_ FloatingPoint 8 24))
(assert (not (fp.isNaN x)))
(assert (not (fp.isNaN y)))
(assert (or (not (fp.leq (fp.min x y) x (fp.max x y))) (not (or (fp.eq (fp.min x y) x) (fp.eq (fp.min x y) y)))))
(check-sat)
