; de Morgan over nand, nor, xnor
(set-logic QF_BV)
(set-info :status unsat)
(declare-const p (_ BitVec 10))
(declare-const q (_ BitVec 10))
(assert (distinct (bvxnor p q) (bvor (bvand p q) (bvnor p q)) (bvand (bvnand p (bvnot q)) (bvor p (bvnot q)))))
(assert (not (= (bvxnor p q) (bvor (bvand p q) (bvnor p q)))))
(check-sat)
