; a table lookup tightened in a scope
; expect: sat unsat
(set-logic QF_ABV)
(declare-const t (Array (_ BitVec 3) (_ BitVec 3)))
(declare-const x (_ BitVec 3))
(assert (= (select t (select t x)) x))
(assert (bvult x (select t x)))
(set-info :status sat)
(check-sat)
(push 1)
(assert (= (select (store t x (bvneg x)) (select t x)) (bvadd x #b001)))
(set-info :status unsat)
(check-sat)
