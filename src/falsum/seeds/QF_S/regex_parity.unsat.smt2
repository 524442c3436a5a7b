; even and odd powers of one letter are disjoint
(set-logic QF_S)
(set-info :status unsat)
(declare-const w String)
(assert (str.in_re w (re.* ((_ re.^ 2) (str.to_re "a")))))
(assert (str.in_re w (re.++ (re.opt (str.to_re "b")) (str.to_re "a") (re.* (str.to_re "aa")))))
(assert (str.in_re w ((_ re.loop 2 5) re.allchar)))
(check-sat)
