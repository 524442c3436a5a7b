; mutually recursive parity of a small number
(set-logic UFDTLIA)
(set-info :status unsat)
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((ite (<= n 0) (= n 0) (odd (- n 1))) (ite (<= n 0) false (even (- n 1)))))
(declare-const k Int)
(assert (= k 3))
(assert (or (even k) (not (odd k))))
(check-sat)
