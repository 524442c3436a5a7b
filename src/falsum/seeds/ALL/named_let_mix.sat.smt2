; names, lets and annotations across sorts
(set-logic ALL)
(set-info :status sat)
(declare-const x Int)
(declare-const w (_ BitVec 4))
(assert (! (let ((y (+ x 1)) (v (bvadd w #x1))) (and (> y 0) (bvugt v w))) :named step))
(assert (=> step (! (= (ubv_to_int w) (* 2 x)) :named twice)))
(assert (and twice (distinct w #x0)))
(check-sat)
