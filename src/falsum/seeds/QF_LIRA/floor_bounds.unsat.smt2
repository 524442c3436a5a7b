; a number is less than one above its floor
(set-logic QF_LIRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const n Int)
(assert (= n (to_int (+ x 0.5))))
(assert (or (> (to_real n) (+ x 0.5)) (<= (+ (to_real n) 0.5) x)))
(check-sat)
