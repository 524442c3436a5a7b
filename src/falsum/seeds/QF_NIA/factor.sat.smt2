; factors of 91, the larger first
(set-logic QF_NIA)
(set-info :status sat)
(declare-const p Int)
(declare-const q Int)
(assert (= (* p q) 91))
(assert (> p q 1))
(assert (= (abs (- p q)) (- (* q q) (* 4 p) (- 9))))
(check-sat)
