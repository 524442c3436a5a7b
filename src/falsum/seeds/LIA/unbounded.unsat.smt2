; no integer is above all others
(set-logic LIA)
(set-info :status unsat)
(declare-const c Int)
(assert (exists ((x Int)) (forall ((y Int)) (=> (distinct y c) (<= y x)))))
(check-sat)
