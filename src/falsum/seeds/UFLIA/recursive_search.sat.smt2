; an argument whose recursive value is known
(set-logic UFLIA)
(set-info :status sat)
(define-fun-rec pow2 ((n Int)) Int (ite (<= n 0) 1 (* 2 (pow2 (- n 1)))))
(declare-const n Int)
(assert (or (= n 2) (= n 3)))
(assert (= (pow2 n) 8))
(check-sat)
