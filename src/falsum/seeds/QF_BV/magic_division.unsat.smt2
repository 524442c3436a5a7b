; division by three by multiplication with a magic number
(set-logic QF_BV)
(set-info :status unsat)
(declare-const n (_ BitVec 8))
(define-fun wide () (_ BitVec 16) (bvmul ((_ zero_extend 8) n) #x00ab))
(assert (distinct (bvudiv n #x03) ((_ extract 7 0) (bvlshr wide #x0009))))
(check-sat)
