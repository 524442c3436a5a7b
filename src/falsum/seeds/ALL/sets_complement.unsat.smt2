; complements of sets of words cover the universe
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Set (_ BitVec 2)))
(assert (distinct (set.union a (set.complement a)) (as set.universe (Set (_ BitVec 2)))))
(check-sat)
