; shifting left then right clears high bits and nothing else
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(declare-const s (_ BitVec 8))
(assert (bvult s #x08))
(assert (distinct (bvlshr (bvshl x s) s) (bvand x (bvlshr #xff s))))
(check-sat)
