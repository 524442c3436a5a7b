; lets under quantifiers, shadowed variables
(set-logic BV)
(set-info :status sat)
(declare-const x (_ BitVec 4))
(assert (forall ((y (_ BitVec 4))) (let ((x (bvand x y)) (z x)) (exists ((y (_ BitVec 4))) (= (bvor x y) z)))))
(assert (bvsgt (bvnot x) x))
(check-sat)
