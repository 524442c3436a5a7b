; a recursive sum unrolled four times
(set-logic UFLIA)
(set-info :status unsat)
(define-fun-rec total ((n Int)) Int (ite (<= n 0) 0 (+ n (total (- n 1)))))
(declare-const k Int)
(assert (= k (total 4)))
(assert (distinct k 10))
(check-sat)
