; no nonzero mask commutes with negation
(set-logic BV)
(set-info :status unsat)
(declare-const k (_ BitVec 6))
(assert (forall ((x (_ BitVec 6))) (= (bvneg (bvxor x k)) (bvxor (bvneg x) k))))
(assert (distinct k #b000000 #b100000))
(check-sat)
