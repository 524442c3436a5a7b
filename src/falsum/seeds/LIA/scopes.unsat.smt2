; quantified bounds in scopes
; expect: sat unsat
(set-logic LIA)
(declare-const a Int)
(declare-const b Int)
(assert (forall ((x Int)) (=> (< a x b) (= (mod x 3) 1))))
(assert (< (+ a 1) b))
(set-info :status sat)
(check-sat)
(push 1)
(assert (= b (+ a 3)))
(set-info :status unsat)
(check-sat)
(pop 1)
