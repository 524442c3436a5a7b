; not every float has an exact reciprocal
(set-logic FP)
(set-info :status unsat)
(assert (forall ((x (_ FloatingPoint 2 3)))
  (=> (and (fp.isNormal x) (fp.isPositive x)) (exists ((y (_ FloatingPoint 2 3))) (= (fp.mul RTZ x y) (fp #b0 #b01 #b00) (fp.mul RTP x y))))))
(check-sat)
