; replacing the empty word, the first and all occurrences
(set-logic QF_S)
(set-info :status sat)
(declare-const s String)
(declare-const t String)
(assert (= (str.replace s "" t) "bab"))
(assert (= (str.replace_all s "a" t) (str.replace_all s "" t)))
(assert (distinct (str.replace s "b" "a") s))
(check-sat)
