; a word is its two halves
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(declare-const i Int)
(assert (<= 0 i (str.len s)))
(assert (distinct s (str.++ (str.substr s 0 i) (str.substr s i (- (str.len s) i)))))
(check-sat)
