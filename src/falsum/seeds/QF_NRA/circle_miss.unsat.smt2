; a line that misses the unit circle
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (<= (+ (* x x) (* y y)) 1.0))
(assert (>= (+ x y) 1.5))
(check-sat)
