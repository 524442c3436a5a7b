; every list is empty or has a head
(set-logic UFDT)
(set-info :status unsat)
(declare-sort E 0)
(declare-datatypes ((List 0)) (((nil) (cons (head E) (tail List)))))
(declare-const x List)
(assert (distinct x nil))
(assert (forall ((e E)) (distinct (tail x) (tail (cons e (tail x))) (cons (head x) x))))
(check-sat)
