; members of a filtered set pass the filter
(set-logic HO_ALL)
(set-info :status unsat)
(declare-const s (Set Int))
(declare-const x Int)
(assert (set.member x (set.filter (lambda ((y Int)) (> y 3)) s)))
(assert (or (< x 4) (not (set.member x s))))
(check-sat)
