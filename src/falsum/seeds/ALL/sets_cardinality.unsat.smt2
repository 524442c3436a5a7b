; a union is no larger than its parts
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (> (set.card (set.union a b)) (+ (set.card a) (set.card b))))
(check-sat)
