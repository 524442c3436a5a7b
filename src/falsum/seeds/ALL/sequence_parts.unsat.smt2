; a sequence is its prefix and its suffix
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(declare-const i Int)
(assert (<= 0 i (seq.len s)))
(assert (not (= s (seq.++ (seq.extract s 0 i) (seq.extract s i (- (seq.len s) i))))))
(check-sat)
