; an update keeps the length of a word
(set-logic ALL)
(set-info :status unsat)
(declare-const s String)
(declare-const t String)
(declare-const i Int)
(assert (distinct (str.len (str.update s i t)) (str.len s)))
(check-sat)
