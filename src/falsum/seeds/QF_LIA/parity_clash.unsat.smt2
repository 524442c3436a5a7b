; twice an integer is never odd
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (- (* 4 x) (* 6 y)) (+ (* 2 z) 1)))
(assert (or (< x y z) (>= x y z) (and (> x 0) (<= z 0))))
(check-sat)
