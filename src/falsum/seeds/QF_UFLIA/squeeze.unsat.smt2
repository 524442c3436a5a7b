; bounds force equal arguments, so values are equal
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(assert (< (- y 1) x (+ y 1)))
(assert (distinct (f (+ x 1)) (f (+ y 1))))
(check-sat)
