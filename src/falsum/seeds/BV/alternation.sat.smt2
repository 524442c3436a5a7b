; for every word one that overflows with it, except for zero
(set-logic BV)
(set-info :status sat)
(declare-const z (_ BitVec 5))
(assert (forall ((x (_ BitVec 5))) (or (= x z) (exists ((y (_ BitVec 5))) (bvuaddo x y)))))
(assert (not (exists ((y (_ BitVec 5))) (or (bvuaddo z y) (bvusubo y z)))))
(check-sat)
