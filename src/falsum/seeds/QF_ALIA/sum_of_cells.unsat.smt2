; the sum of two cells after writing both
(set-logic QF_ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (< i j))
(assert (let ((b (store (store a i 5) j (- 3)))) (distinct (+ (select b i) (select b j)) 2)))
(check-sat)
