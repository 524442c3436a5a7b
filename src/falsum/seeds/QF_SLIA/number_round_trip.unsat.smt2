; printing and reading a number gives the number
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(assert (<= (- 3) n 120))
(assert (distinct (str.to_int (str.from_int n)) (ite (< n 0) (- 1) n)))
(check-sat)
