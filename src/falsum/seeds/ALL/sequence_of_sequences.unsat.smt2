; units of units have one element
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq (Seq Int)))
(declare-const x Int)
(assert (= s (seq.unit (seq.unit x))))
(assert (or (distinct (seq.len (seq.nth s 0)) 1) (distinct (seq.nth (seq.nth s 0) 0) x) (> (seq.len s) 1)))
(check-sat)
