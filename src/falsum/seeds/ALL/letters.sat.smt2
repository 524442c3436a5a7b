; upper and lower case, reversal, the last letters
(set-logic ALL)
(set-info :status sat)
(declare-const s String)
(assert (= (str.to_upper s) (str.rev (str.to_upper s))))
(assert (= (str.len s) 3))
(assert (distinct (str.to_lower s) s (str.rev s)))
(assert (= (str.at s 0) "q"))
(check-sat)
