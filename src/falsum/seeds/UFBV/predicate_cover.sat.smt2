; a predicate that holds on one of each pair
(set-logic UFBV)
(set-info :status sat)
(declare-fun p ((_ BitVec 3)) Bool)
(assert (forall ((x (_ BitVec 3))) (xor (p x) (p (bvnot x)))))
(assert (p #b000))
(assert (not (forall ((x (_ BitVec 3))) (= (p x) (bvult x #b100)))))
(check-sat)
