; a cell that bounds every number below another cell
(set-logic ALIA)
(set-info :status sat)
(declare-const a (Array Int Int))
(declare-const i Int)
(assert (forall ((v Int)) (=> (< v (select a i)) (<= v (select a (+ i 1))))))
(assert (exists ((v Int)) (and (< (select a (+ i 1)) v) (= (* 2 v) (select (store a i 8) i)))))
(assert (distinct (select a i) (select a (select a i)) 0))
(check-sat)
