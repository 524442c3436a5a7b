; a first move such that every answer can be met
(set-logic LRA)
(set-info :status sat)
(declare-const x Real)
(assert (forall ((y Real)) (=> (<= 0.0 y 1.0) (exists ((z Real)) (and (= (+ x y z) 2.0) (<= 0.0 z (/ 3 2)))))))
(assert (> x 0.75))
(check-sat)
