; a loop that fills an array, seen at one index
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int (Array Int Int)) Bool)
(assert (forall ((k Int) (a (Array Int Int))) (=> (and (>= k 0) (= (select a 0) 7)) (loop 0 k a))))
(assert (forall ((i Int) (k Int) (a (Array Int Int)))
  (=> (and (loop i k a) (< i k)) (loop (+ i 1) k (store a i 7)))))
(assert (forall ((i Int) (k Int) (a (Array Int Int))) (=> (and (loop i k a) (distinct (select a 0) 7)) false)))
(check-sat)
