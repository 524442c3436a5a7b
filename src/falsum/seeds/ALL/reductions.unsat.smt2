; reductions of a word by or and and
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ BitVec 6))
(assert (= (bvredor x) #b0))
(assert (or (= (bvredand (bvnot x)) #b0) (distinct x #b000000)))
(check-sat)
