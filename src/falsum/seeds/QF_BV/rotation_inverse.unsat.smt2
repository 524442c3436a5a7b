; a rotation undone, written as shifts
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 7))
(assert (distinct ((_ rotate_right 3) x) (bvor (bvlshr x #b0000011) (bvshl x #b0000100))))
(check-sat)
