; a predicate on words of two bits, true and false too often
(set-logic QF_UFBV)
(set-info :status unsat)
(declare-fun p ((_ BitVec 2)) Bool)
(declare-const x (_ BitVec 2))
(assert (= ((_ extract 0 0) x) #b1))
(assert (and (p x) (p (bvadd x #b01)) (p (bvxor x #b10))))
(assert (or (not (p (bvadd x #b10))) (and (not (p (bvnot x))) (not (p (bvnot (bvneg x)))))))
(check-sat)
