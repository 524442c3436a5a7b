; a circle and a line that meet in an irrational point
(set-logic QF_NRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 1.0))
(assert (= y (* 2.0 x)))
(assert (> x 0.0))
(check-sat)
