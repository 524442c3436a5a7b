; a linear form is bounded only if it is zero
(set-logic NRA)
(set-info :status unsat)
(declare-const k Real)
(assert (forall ((x Real)) (<= (* k x) 1.0)))
(assert (> (* k k) 0.25))
(check-sat)
