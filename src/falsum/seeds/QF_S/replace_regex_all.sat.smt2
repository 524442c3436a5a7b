; replacing every shortest match of a run of digits
(set-logic QF_S)
(set-info :status sat)
(declare-const s String)
(assert (= (str.replace_re_all s (re.+ (re.range "0" "9")) "x") "axxb"))
(assert (not (str.in_re s (re.++ re.all (str.to_re "x") re.all))))
(assert (= s (str.++ "a" (str.at s 1) "7b")))
(check-sat)
