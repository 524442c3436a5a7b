; the signed value of a word by its top bit
(set-logic ALL)
(set-info :status unsat)
(declare-const b (_ BitVec 5))
(assert (distinct (sbv_to_int b) (ite (bvslt b #b00000) (- (ubv_to_int b) 32) (ubv_to_int b))))
(check-sat)
