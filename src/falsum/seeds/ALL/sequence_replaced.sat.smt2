; replacing all occurrences shortens a sequence
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(assert (= (seq.replace_all s (seq.unit 0) (as seq.empty (Seq Int))) (seq.unit 4)))
(assert (= (seq.len s) 2))
(check-sat)
