; replacing all occurrences does not look at what it has put in
(set-logic QF_S)
(set-info :status unsat)
(declare-const p Bool)
(declare-const x String)
(assert (= x (ite p (str.replace_all "banana" "an" "na") (str.replace_all "aaa" "aa" "a"))))
(assert (or (= x "bnaana") (= x "a") (str.contains x (str.replace_all "b" "" "ab"))))
(assert (=> p (distinct (str.at x 1) "n")))
(check-sat)
