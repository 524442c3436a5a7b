; check-sat-assuming over named formulas
; expect: unsat sat
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(declare-const b U)
(declare-const guard Bool)
(assert (! (=> guard (= a b)) :named same))
(assert (! (distinct (f a) (f b)) :named differ))
(set-info :status unsat)
(check-sat-assuming (guard))
(set-info :status sat)
(check-sat-assuming ((not guard)))
