; the fourth power of an element that is not zero is one, modulo five
(set-logic QF_FF)
(set-info :status unsat)
(declare-const x (_ FiniteField 5))
(declare-const p Bool)
(assert (=> p (= (ff.mul x x x x) (as ff2 (_ FiniteField 5)))))
(assert (=> (not p) (= (ff.mul x x x) (ff.mul (as ff2 (_ FiniteField 5)) x))))
(assert (not (= x (ff.neg x))))
(check-sat)
