; a palindrome is its own reversal
(set-logic ALL)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(define-fun s () (Seq Int) (seq.++ (seq.unit a) (seq.unit b) (seq.unit a)))
(assert (distinct (seq.rev s) s))
(check-sat)
