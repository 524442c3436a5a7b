; widening then narrowing is the identity in any mode
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const m RoundingMode)
(declare-const n RoundingMode)
(assert (distinct x ((_ to_fp 8 24) m ((_ to_fp 11 53) n x))))
(check-sat)
