; replacing the shortest leftmost match
(set-logic QF_S)
(set-info :status sat)
(declare-const s String)
(assert (= (str.replace_re s (re.+ (str.to_re "a")) "b") "bab"))
(assert (= (str.len s) 3))
(assert (distinct s "bab"))
(check-sat)
