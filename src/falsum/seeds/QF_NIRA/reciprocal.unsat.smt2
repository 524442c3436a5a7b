; the quotient of integers as reals, multiplied back
(set-logic QF_NIRA)
(set-info :status unsat)
(declare-const i Int)
(declare-const j Int)
(assert (distinct j 0))
(assert (distinct (* (/ (to_real i) (to_real j)) (to_real j)) (to_real i)))
(check-sat)
