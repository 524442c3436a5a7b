; one update cannot turn a sequence of three into its reversal
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(declare-const i Int)
(assert (= (seq.len s) 3))
(assert (= (seq.update s i (seq.unit 9)) (seq.rev s)))
(assert (distinct s (seq.rev s)))
(check-sat)
