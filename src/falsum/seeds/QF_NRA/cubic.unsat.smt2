; a monotone cubic has no second root
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x x) x) 10.0))
(assert (= (+ (* y y y) y) 10.0))
(assert (> x y))
(check-sat)
