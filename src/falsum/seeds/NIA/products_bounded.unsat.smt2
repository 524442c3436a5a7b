; squares are not bounded from above
(set-logic NIA)
(set-info :status unsat)
(declare-const k Int)
(assert (forall ((x Int)) (<= (* x x) (+ k (* 2 x)))))
(assert (< k 10))
(check-sat)
