; the exponential function is positive and grows
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (> x 0.0))
(assert (or (<= (exp x) 1.0) (< (exp x) 0.0)))
(check-sat)
