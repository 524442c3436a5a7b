; a function on two bits without fixed points, and onto
(set-logic UFBV)
(set-info :status sat)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
(assert (forall ((x (_ BitVec 2))) (distinct (f x) x)))
(assert (forall ((y (_ BitVec 2))) (exists ((x (_ BitVec 2))) (= (f x) y))))
(assert (= (f (f #b01)) #b01))
(check-sat)
