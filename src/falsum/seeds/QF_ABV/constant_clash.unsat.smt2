; two constant tables that agree at one place are equal
(set-logic QF_ABV)
(set-info :status unsat)
(declare-const v (_ BitVec 8))
(declare-const i (_ BitVec 4))
(define-fun a () (Array (_ BitVec 4) (_ BitVec 8)) ((as const (Array (_ BitVec 4) (_ BitVec 8))) v))
(define-fun b () (Array (_ BitVec 4) (_ BitVec 8)) ((as const (Array (_ BitVec 4) (_ BitVec 8))) (bvneg (bvadd (bvnot v) #x01))))
(assert (not (= (store a i #x11) (store b i #x11))))
(check-sat)
