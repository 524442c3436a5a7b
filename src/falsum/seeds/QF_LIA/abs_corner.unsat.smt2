; absolute values and the triangle inequality
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (> (abs (+ x y)) (+ (abs x) (abs y))))
(assert (<= (- 1000000000000) x 1000000000000))
(check-sat)
