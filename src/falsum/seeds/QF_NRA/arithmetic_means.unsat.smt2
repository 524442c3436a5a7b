; geometric mean above arithmetic mean
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const a Real)
(declare-const b Real)
(assert (and (> a 0.0) (> b 0.0)))
(assert (> (* 4.0 a b) (* (+ a b) (+ a b))))
(check-sat)
