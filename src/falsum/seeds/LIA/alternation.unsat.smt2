; between any two integers there is not always a third
(set-logic LIA)
(set-info :status unsat)
(assert (forall ((x Int) (z Int)) (=> (< x z) (exists ((y Int)) (< x y z)))))
(check-sat)
