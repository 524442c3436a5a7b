; a table of reals scaled by an integer
(set-logic AUFLIRA)
(set-info :status unsat)
(declare-const t (Array Int Real))
(declare-fun scale (Int) Real)
(assert (forall ((i Int)) (! (= (scale i) (* 2.0 (select t i))) :pattern ((scale i)))))
(assert (= (select t 3) (/ 1 3)))
(assert (distinct (+ (scale 3) (select t 3)) 1.0))
(check-sat)
