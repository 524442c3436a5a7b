; no largest real below a bound
(set-logic LRA)
(set-info :status unsat)
(declare-const b Real)
(assert (exists ((x Real)) (and (< x b) (forall ((y Real)) (=> (< y b) (<= y x))))))
(check-sat)
