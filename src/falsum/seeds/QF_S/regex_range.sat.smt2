; ranges of characters, also empty and reversed ones
(set-logic QF_S)
(set-info :status sat)
(declare-const w String)
(assert (str.in_re w (re.++ (re.range "a" "f") (re.+ (re.union (re.range "0" "9") (re.range "z" "a"))))))
(assert (not (str.in_re w (re.* (re.range "ab" "f")))))
(assert (str.contains w "07"))
(assert (not (str.in_re w (re.++ re.allchar re.allchar re.allchar))))
(check-sat)
