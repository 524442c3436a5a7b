; a bound that works for every even number
(set-logic LIA)
(set-info :status sat)
(declare-const k Int)
(assert (forall ((x Int) (y Int)) (=> (= x (* 2 y)) (or (< x k) (> x (+ k 1)) (= x (+ k 1))))))
(assert (> k 3))
(check-sat)
