; a match of the empty word puts the replacement in front
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const s String)
(declare-const t String)
(assert (= (str.replace_re s (re.* (str.to_re "a")) t) (str.++ "xy" s)))
(assert (= (str.len (str.replace_re_all s (re.+ (str.to_re "a")) t)) (+ 2 (str.len s))))
(assert (= (str.len s) 3))
(check-sat)
