; loops with impossible bounds and powers of zero
(set-logic QF_S)
(set-info :status unsat)
(declare-const w String)
(assert (str.in_re w (re.++ ((_ re.^ 0) (str.to_re "q")) ((_ re.loop 2 3) (str.to_re "pq")))))
(assert (or (str.in_re w ((_ re.loop 3 2) re.allchar)) (= (str.at w 4) "q") (not (str.prefixof "pqpq" w))))
(check-sat)
