; a function of halves, exact
(set-logic QF_UFLRA)
(set-info :status unsat)
(declare-fun f (Real) Real)
(declare-const x Real)
(assert (= (f (/ x 2.0)) (* 2.0 x)))
(assert (> (f (* 0.5 x)) (+ x x)))
(check-sat)
