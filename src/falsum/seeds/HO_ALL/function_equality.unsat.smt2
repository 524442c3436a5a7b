; functions equal at every argument are equal
(set-logic HO_ALL)
(set-info :status unsat)
(declare-fun f (Int) Int)
(declare-fun g (Int) Int)
(assert (forall ((x Int)) (= (f x) (g x))))
(assert (distinct (f 2) (g (+ 1 1))))
(check-sat)
