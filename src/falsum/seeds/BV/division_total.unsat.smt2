; no divisor makes every quotient zero
(set-logic BV)
(set-info :status unsat)
(assert (exists ((d (_ BitVec 6))) (forall ((n (_ BitVec 6))) (= (bvudiv n d) (bvsrem d #b000001)))))
(check-sat)
