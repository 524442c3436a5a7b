; the sine of a real is never above one
(set-logic ALL)
(set-info :status unsat)
(declare-const x Real)
(assert (> (sin x) 1.0))
(check-sat)
