; bitwise and of integers is at most each of them
(set-logic ALL)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (<= 0 x 15))
(assert (<= 0 y 15))
(assert (> ((_ iand 4) x y) x))
(check-sat)
