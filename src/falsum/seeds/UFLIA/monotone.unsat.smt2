; a strictly growing function cannot stand still
(set-logic UFLIA)
(set-info :status unsat)
(declare-fun f (Int) Int)
(assert (forall ((x Int) (y Int)) (=> (< x y) (< (f x) (f y)))))
(assert (= (f 3) 10))
(assert (= (f 6) 12))
(assert (and (> (f 4) 0) (> (f 5) 0)))
(check-sat)
