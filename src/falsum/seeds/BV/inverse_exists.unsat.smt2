; every odd word has an inverse
(set-logic BV)
(set-info :status unsat)
(assert (not (forall ((x (_ BitVec 4))) (=> (= ((_ extract 0 0) x) #b1) (exists ((y (_ BitVec 4))) (= (bvmul x y) #x1))))))
(check-sat)
