; coefficients past 64 bits fix a residue
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= (- (* 18446744073709551616 x) (* 18446744073709551615 y)) 1))
(assert (> x 9223372036854775807))
(assert (not (= (mod y 4294967296) 1)))
(check-sat)
