; words of one bit: addition is xor, multiplication is and
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 1))
(declare-const b (_ BitVec 1))
(assert (or (distinct (bvadd a b) (bvxor a b)) (distinct (bvmul a b) (bvand a b)) (distinct (bvsub a b) (bvcomp (bvnot a) b))
  (distinct (bvudiv a b) (bvor a (bvnot b))) (bvslt a (bvneg a))))
(check-sat)
