; 3 is no square modulo 7, nor is its product with one
(set-logic QF_FF)
(set-info :status unsat)
(declare-const x (_ FiniteField 7))
(declare-const y (_ FiniteField 7))
(assert (= (ff.mul x x) (ff.mul (as ff3 (_ FiniteField 7)) y y)))
(assert (or (not (= x (as ff0 (_ FiniteField 7)))) (not (= y (as ff0 (_ FiniteField 7))))))
(check-sat)
