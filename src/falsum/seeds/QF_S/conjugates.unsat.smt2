; words that commute with different letters at the ends
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.++ "ab" x) (str.++ x "ba")))
(assert (str.suffixof "aa" x))
(check-sat)
