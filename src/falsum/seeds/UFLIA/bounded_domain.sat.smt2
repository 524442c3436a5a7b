; a function on few arguments, all values different
(set-logic UFLIA)
(set-info :status sat)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (=> (<= 0 x 2) (<= 0 (f x) 2))))
(assert (distinct (f 0) (f 1) (f 2)))
(assert (= (f (f 0)) 1))
(check-sat)
