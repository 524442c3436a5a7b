; the reals are dense
(set-logic LRA)
(set-info :status unsat)
(assert (not (forall ((x Real) (z Real)) (=> (< x z) (exists ((y Real)) (and (< x y) (< y z)))))))
(check-sat)
