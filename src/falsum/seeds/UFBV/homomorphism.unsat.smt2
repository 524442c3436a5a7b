; an additive map is settled by its value at one
(set-logic UFBV)
(set-info :status unsat)
(declare-fun h ((_ BitVec 4)) (_ BitVec 4))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (! (= (h (bvadd x y)) (bvadd (h x) (h y))) :pattern ((h x) (h y)))))
(assert (= (h #x1) #x3))
(assert (distinct (h #x2) (bvadd (h #x1) #x3)))
(check-sat)
