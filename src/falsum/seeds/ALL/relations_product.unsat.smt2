; a pair in a product has its parts in the factors
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Relation Int))
(declare-const b (Relation Int))
(assert (set.member (tuple 1 2) (rel.product a b)))
(assert (not (set.member (tuple 2) b)))
(check-sat)
