; a counter in steps of three does pass it: a derivation of three steps
(set-logic HORN)
(set-info :status unsat)
(declare-fun count (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 4) (count 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (count i n) (< i n)) (count (+ i 3) n))))
(assert (forall ((i Int) (n Int)) (=> (and (count i n) (> i (+ n 1))) false)))
(check-sat)
