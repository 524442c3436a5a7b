; a remainder is never negative, whatever the signs
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(define-fun r () Int (mod a (- 5)))
(assert (= b (- a (* (- 5) (div a (- 5))))))
(assert (or (< r 0) (>= r 5) (distinct r b)))
(check-sat)
