; iterating a function on words of one bit
; expect: sat unsat
(set-logic QF_UFBV)
(declare-fun f ((_ BitVec 1)) (_ BitVec 1))
(declare-const b (_ BitVec 1))
(assert (distinct (f b) b))
(push 1)
(assert (= (f (f b)) b))
(set-info :status sat)
(check-sat)
(pop 1)
(assert (distinct (f (f (f b))) (f b)))
(set-info :status unsat)
(check-sat)
