; the number of elements of a bag, with repetition
(set-logic ALL)
(set-info :status sat)
(declare-const a (Bag Int))
(assert (= (bag.card a) 3))
(assert (= (bag.count 1 a) 2))
(assert (bag.subbag (bag 7 1) a))
(check-sat)
