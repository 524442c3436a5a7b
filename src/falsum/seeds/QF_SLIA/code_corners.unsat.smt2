; codes outside the alphabet and words that are not one letter
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(declare-const s String)
(assert (= (str.from_code n) s))
(assert (distinct s ""))
(assert (or (< n 0) (> n 196607) (distinct (str.to_code s) n) (= (str.to_code (str.++ s s)) n)))
(check-sat)
