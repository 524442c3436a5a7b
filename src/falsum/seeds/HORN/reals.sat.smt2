; what is halved stays below one, whatever the flag is
(set-logic HORN)
(set-info :status sat)
(declare-fun state (Real Bool) Bool)
(assert (forall ((x Real)) (=> (and (<= 0.0 x) (< x 1.0)) (state x true))))
(assert (forall ((x Real) (b Bool)) (=> (state x b) (state (/ x 2.0) (not b)))))
(assert (forall ((x Real) (b Bool)) (=> (and (state x b) (or (>= x 1.0) (< x 0.0))) false)))
(check-sat)
