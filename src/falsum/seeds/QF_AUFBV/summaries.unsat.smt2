; a summary of an array that is written back unchanged
(set-logic QF_AUFBV)
(set-info :status unsat)
(declare-fun digest ((Array (_ BitVec 2) (_ BitVec 4))) (_ BitVec 4))
(declare-const a (Array (_ BitVec 2) (_ BitVec 4)))
(declare-const i (_ BitVec 2))
(define-fun b () (Array (_ BitVec 2) (_ BitVec 4)) (store (store a i (bvnot (select a i))) i (bvnot (bvnot (select a i)))))
(assert (bvult (digest a) (bvor (digest b) #x0)))
(check-sat)
