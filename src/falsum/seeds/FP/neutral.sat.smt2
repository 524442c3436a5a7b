; minus zero is the neutral element of addition
(set-logic FP)
(set-info :status sat)
(declare-const e (_ FloatingPoint 8 24))
(declare-const m RoundingMode)
(assert (forall ((x (_ FloatingPoint 8 24))) (= (fp.add m x e) x)))
(assert (distinct m RTN))
(check-sat)
