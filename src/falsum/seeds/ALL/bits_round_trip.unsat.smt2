; integers reduced to words and back are remainders
(set-logic ALL)
(set-info :status unsat)
(declare-const n Int)
(assert (<= (- 300) n 300))
(assert (distinct (ubv_to_int ((_ int_to_bv 4) n)) (mod n 16)))
(check-sat)
