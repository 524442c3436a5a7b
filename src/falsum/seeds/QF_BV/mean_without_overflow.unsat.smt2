; the average by and, xor and shift never overflows
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(define-fun avg () (_ BitVec 8) (bvadd (bvand x y) (bvlshr (bvxor x y) #x01)))
(define-fun wide () (_ BitVec 9) (bvlshr (bvadd (concat #b0 x) ((_ zero_extend 1) y)) #b000000001))
(assert (distinct ((_ zero_extend 1) avg) wide))
(check-sat)
