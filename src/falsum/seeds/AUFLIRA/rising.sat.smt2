; reals indexed by integers, rising at three places
(set-logic AUFLIRA)
(set-info :status sat)
(declare-const t (Array Int Real))
(declare-const n Int)
(assert (forall ((i Int)) (=> (<= n i (+ n 2)) (< (select t i) (select t (+ i 1))))))
(assert (= (select t (+ n 3)) (+ (select t n) 0.5)))
(check-sat)
