; elements of a sequence in scopes
; expect: sat unsat
(set-logic ALL)
(declare-const s (Seq Int))
(assert (= (seq.++ s (seq.unit 1)) (seq.++ (seq.unit 1) s)))
(push 1)
(assert (= (seq.len s) 2))
(set-info :status sat)
(check-sat)
(assert (distinct (seq.nth s 1) 1))
(set-info :status unsat)
(check-sat)
(pop 1)
