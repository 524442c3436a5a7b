; prefix and suffix that overlap fix every letter
(set-logic QF_S)
(set-info :status unsat)
(declare-const s String)
(assert (= (str.len s) 3))
(assert (str.prefixof "ab" s))
(assert (str.suffixof "bc" s))
(assert (or (not (str.contains s "abc")) (distinct (str.at s 1) "b")))
(check-sat)
