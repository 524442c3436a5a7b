; replacing one letter by two makes a word longer by at most one
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(assert (> (str.len (str.replace s "a" "bc")) (+ (str.len s) 1)))
(check-sat)
