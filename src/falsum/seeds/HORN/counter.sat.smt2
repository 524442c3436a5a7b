; a counter in steps of two never passes its bound by more than one step
(set-logic HORN)
(set-info :status sat)
(declare-fun count (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (count 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (count i n) (< i n)) (count (+ i 2) n))))
(assert (forall ((i Int) (n Int)) (=> (and (count i n) (> i (+ n 1))) false)))
(check-sat)
