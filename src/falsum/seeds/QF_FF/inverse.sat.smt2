; an element and its inverse, whose sum is given
(set-logic QF_FF)
(set-info :status sat)
(declare-const x (_ FiniteField 17))
(declare-const y (_ FiniteField 17))
(assert (= (ff.mul x y) (as ff1 (_ FiniteField 17))))
(assert (= (ff.add x y) (as ff5 (_ FiniteField 17))))
(assert (distinct x y))
(check-sat)
