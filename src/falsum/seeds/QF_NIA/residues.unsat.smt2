; a square is never 2 modulo 3
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (<= 0 x 12))
(assert (= (- (* x x) 2) (* 3 y)))
(check-sat)
