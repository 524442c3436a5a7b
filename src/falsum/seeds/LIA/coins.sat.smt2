; amounts from a bound on can be paid with coins of three and five
(set-logic LIA)
(set-info :status sat)
(declare-const b Int)
(assert (<= 7 b 8))
(assert (forall ((n Int)) (=> (<= b n 10) (exists ((x Int) (y Int)) (and (>= x 0) (>= y 0) (= n (+ (* 3 x) (* 5 y))))))))
(check-sat)
