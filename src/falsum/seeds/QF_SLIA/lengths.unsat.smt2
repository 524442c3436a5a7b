; lengths modulo three
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x x x) (str.++ y "ab")))
(assert (= (mod (str.len y) 3) 2))
(check-sat)
