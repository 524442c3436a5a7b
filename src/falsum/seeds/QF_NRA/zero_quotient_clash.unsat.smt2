; the same dividend over two spellings of zero
(set-logic QF_NRA)
(set-info :status unsat)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* x x) (* y y)) 0.0))
(assert (distinct (/ 2.0 x) (/ 2.0 (- y))))
(check-sat)
