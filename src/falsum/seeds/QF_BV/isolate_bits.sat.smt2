; tricks with the lowest set bit
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 16))
(define-fun low () (_ BitVec 16) (bvand x (bvneg x)))
(assert (= (bvand x (bvsub x #x0001)) (bvmul low #x0014)))
(assert (distinct low #x0001 #x0000))
(assert (= (bvurem x #x0007) #x0000))
(check-sat)
