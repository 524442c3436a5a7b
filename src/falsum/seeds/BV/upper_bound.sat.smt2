; a word above all squares of three bits
(set-logic BV)
(set-info :status sat)
(declare-const b (_ BitVec 8))
(assert (forall ((x (_ BitVec 8))) (=> (bvult x #x08) (bvuge b (bvmul x x)))))
(assert (exists ((x (_ BitVec 8))) (and (bvult x b) (bvumulo x b))))
(assert (bvslt b #x40))
(check-sat)
