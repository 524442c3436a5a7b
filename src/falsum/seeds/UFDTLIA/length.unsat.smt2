; a recursive length counts two elements
(set-logic UFDTLIA)
(set-info :status unsat)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(define-fun-rec len ((l List)) Int (ite ((_ is nil) l) 0 (+ 1 (len (tail l)))))
(declare-const x Int)
(declare-const y Int)
(assert (distinct (len (cons x (cons y nil))) (ite (< x y) 2 (- 4 2))))
(check-sat)
