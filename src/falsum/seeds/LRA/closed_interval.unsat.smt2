; an interval with itself as interior
(set-logic LRA)
(set-info :status unsat)
(declare-const a Real)
(declare-const b Real)
(assert (<= a b))
(assert (forall ((x Real)) (=> (<= a x b) (exists ((y Real)) (and (> y x) (< y b))))))
(check-sat)
