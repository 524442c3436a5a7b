; prefix and suffix of one length are equal to the whole
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Bool))
(declare-const t (Seq Bool))
(assert (seq.prefixof s t))
(assert (= (seq.len s) (seq.len t)))
(assert (or (not (seq.suffixof s t)) (distinct s t)))
(check-sat)
