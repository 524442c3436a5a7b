; powers of two as an operator of integers
(set-logic ALL)
(set-info :status sat)
(declare-const n Int)
(assert (<= 0 n 8))
(assert (= (int.pow2 n) (+ 12 n)))
(check-sat)
