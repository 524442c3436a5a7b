; the place of the first match of a regular expression
(set-logic ALL)
(set-info :status sat)
(declare-const s String)
(assert (= (str.indexof_re s (re.+ (re.range "0" "9")) 0) 2))
(assert (= (str.len s) 4))
(assert (not (str.is_digit (str.at s 3))))
(check-sat)
