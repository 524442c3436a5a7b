; bytes survive the way through single precision
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const b (_ BitVec 8))
(declare-const m RoundingMode)
(assert (or (distinct ((_ fp.to_ubv 8) m ((_ to_fp_unsigned 8 24) m b)) b) (distinct ((_ fp.to_sbv 8) m ((_ to_fp 8 24) m b)) b)))
(check-sat)
