; counts add in a disjoint union
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Bag Int))
(declare-const b (Bag Int))
(declare-const x Int)
(assert (distinct (bag.count x (bag.union_disjoint a b)) (+ (bag.count x a) (bag.count x b))))
(check-sat)
