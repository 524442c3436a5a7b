; unsigned order of negations reverses, but for zero
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 9))
(declare-const b (_ BitVec 9))
(assert (distinct a (_ bv0 9)))
(assert (bvule a b))
(assert (bvult (bvneg a) (bvneg b)))
(check-sat)
