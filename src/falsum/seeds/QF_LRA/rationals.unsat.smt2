; thirds and sevenths are exact
(set-logic QF_LRA)
(set-info :status unsat)
(declare-const x Real)
(assert (= (* 3.0 x) 1.0))
(assert (not (= (+ x x x) (* 21.0 (/ x 7.0)))))
(check-sat)
