; one digit after a fixed one reads as a number of that decade
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const c String)
(declare-const n Int)
(assert (str.in_re c (re.range "0" "3")))
(assert (= n (str.to_code c)))
(assert (or (< n 48) (>= n 52) (not (str.is_digit c)) (= (str.to_int c) (- 1))))
(check-sat)
