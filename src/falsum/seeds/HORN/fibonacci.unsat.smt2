; a rule with two premises of the same predicate: the fifth number of Fibonacci
(set-logic HORN)
(set-info :status unsat)
(declare-fun fib (Int Int) Bool)
(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (fib n a) (fib (+ n 1) b)) (fib (+ n 2) (+ a b)))))
(assert (forall ((n Int) (a Int)) (=> (and (fib n a) (= n 5)) (< a 5))))
(check-sat)
