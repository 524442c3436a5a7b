; a language minus itself and its complement's complement
(set-logic QF_S)
(set-info :status unsat)
(declare-const w String)
(define-fun r () RegLan (re.++ (re.* (str.to_re "x")) (re.opt (str.to_re "yx"))))
(assert (str.in_re w (re.union (re.diff r (re.comp (re.comp r))) (re.inter r (re.comp r)) re.none)))
(check-sat)
