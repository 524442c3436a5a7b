; a sorted array has its smallest element first
(set-logic ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(assert (forall ((i Int) (j Int)) (=> (<= 0 i j 9) (<= (select a i) (select a j)))))
(declare-const k Int)
(assert (<= 0 k 9))
(assert (< (select a k) (select a 0)))
(check-sat)
