; a tuple updated and read
(set-logic ALL)
(set-info :status unsat)
(declare-const t (Tuple Int Bool))
(define-fun u () (Tuple Int Bool) ((_ tuple.update 0) t (+ 1 ((_ tuple.select 0) t))))
(assert (or (<= ((_ tuple.select 0) u) ((_ tuple.select 0) t)) (xor ((_ tuple.select 1) u) ((_ tuple.select 1) t))))
(check-sat)
