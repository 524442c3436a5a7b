; no square is negative, shifted
(set-logic NRA)
(set-info :status unsat)
(declare-const c Real)
(assert (>= c (/ 1 4)))
(assert (exists ((x Real)) (< (+ (* x x) x c) 0.0)))
(check-sat)
