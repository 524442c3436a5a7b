; without duplicates every count is at most one
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Bag Int))
(declare-const x Int)
(assert (> (bag.count x (bag.setof a)) 1))
(check-sat)
