; no number fits all residues
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const n Int)
(declare-const k Int)
(assert ((_ divisible 6) (+ n k)))
(assert ((_ divisible 4) (- n k 1)))
(assert (= (ite (> n 0) n (- n)) (abs n)))
(check-sat)
