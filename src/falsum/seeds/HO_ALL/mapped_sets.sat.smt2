; a set whose image under doubling is known
(set-logic HO_ALL)
(set-info :status sat)
(declare-const s (Set Int))
(assert (= (set.map (lambda ((y Int)) (* 2 y)) s) (set.insert 2 4 (as set.empty (Set Int)))))
(assert (not (set.member 7 s)))
(check-sat)
