; the first place of an element
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(declare-const k Int)
(assert (= (seq.indexof s (seq.unit k) 0) 2))
(assert (= (seq.nth s 0) (seq.nth s 1) (- k 4)))
(assert (= (seq.replace s (seq.unit k) (as seq.empty (Seq Int))) (seq.++ (seq.unit 1) (seq.unit 1))))
(check-sat)
