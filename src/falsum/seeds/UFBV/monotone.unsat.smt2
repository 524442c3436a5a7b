; a strictly monotone function on two bits is the identity
(set-logic UFBV)
(set-info :status unsat)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
(declare-const c (_ BitVec 2))
(assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (=> (bvult x y) (bvult (f x) (f y)))))
(assert (distinct (f c) c))
(check-sat)
