; a step function from zero to four
(set-logic UFLIA)
(set-info :status unsat)
(declare-fun s (Int) Int)
(assert (forall ((x Int)) (! (= (s (+ x 1)) (+ (s x) 2)) :pattern ((s x)))))
(assert (= (s 0) 1))
(assert (distinct (s 2) 5))
(check-sat)
