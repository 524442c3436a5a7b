; a = b * (a div b) + (a mod b) whenever b is not zero
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(assert (not (= b 0)))
(assert (not (= a (+ (* b (div a b)) (mod a b)))))
(check-sat)
