; signed division overflows only for minimum by minus one
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(assert (bvsdivo x y))
(assert (or (not (bvnego x)) (distinct y #xffff) (distinct (bvsdiv x y) x) (bvusubo y x)))
(check-sat)
