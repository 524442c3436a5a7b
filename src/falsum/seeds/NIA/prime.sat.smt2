; a number without small divisors
(set-logic NIA)
(set-info :status sat)
(declare-const p Int)
(assert (< 24 p 32))
(assert (forall ((d Int)) (=> (<= 2 d 5) (distinct (mod p d) 0))))
(check-sat)
