; dividend = divisor * quotient + remainder, signed and unsigned
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 5))
(declare-const b (_ BitVec 5))
(assert (or (distinct a (bvadd (bvmul b (bvudiv a b)) (bvurem a b))) (distinct a (bvadd (bvmul (bvsdiv a b) b) (bvsrem a b)))))
(check-sat)
