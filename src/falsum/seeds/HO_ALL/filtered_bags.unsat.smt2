; a filtered bag counts no more than the bag
(set-logic HO_ALL)
(set-info :status unsat)
(declare-const b (Bag Int))
(declare-const x Int)
(assert (> (bag.count x (bag.filter (lambda ((y Int)) (> y 0)) b)) (bag.count x b)))
(check-sat)
