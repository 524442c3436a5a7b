; a parabola above zero everywhere
(set-logic NRA)
(set-info :status sat)
(declare-const b Real)
(assert (forall ((x Real)) (> (+ (* x x) (* b x) 1.0) 0.0)))
(assert (> b 1.5))
(check-sat)
