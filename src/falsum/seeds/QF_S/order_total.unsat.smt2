; no two different words are each at most the other
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.<= x y))
(assert (not (str.< x y)))
(assert (not (= (str.++ x "!") (str.++ y "!"))))
(check-sat)
