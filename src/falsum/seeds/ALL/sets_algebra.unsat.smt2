; de Morgan by difference
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(declare-const u (Set Int))
(assert (set.subset (set.union a b) u))
(assert (distinct (set.minus u (set.union a b)) (set.inter (set.minus u a) (set.minus u b))))
(check-sat)
