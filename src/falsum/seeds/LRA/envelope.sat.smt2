; a line above two others on an interval
(set-logic LRA)
(set-info :status sat)
(declare-const m Real)
(declare-const c Real)
(assert (forall ((x Real)) (=> (<= 0.0 x 2.0) (and (>= (+ x c) (* 2.0 x)) (> (+ x c) m)))))
(assert (< (+ m c) 4.5))
(assert (> m 1.25))
(check-sat)
