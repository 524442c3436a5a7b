; arguments equal after arithmetic have equal images
(set-logic QF_UFBV)
(set-info :status unsat)
(declare-fun h ((_ BitVec 16)) (_ BitVec 8))
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (distinct (h (concat (bvand a b) (bvor a b))) (h (concat (bvsub (bvadd a b) (bvor a b)) (bvadd (bvxor a b) (bvand b a))))))
(check-sat)
