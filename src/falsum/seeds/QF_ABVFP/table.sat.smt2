; a table of floats indexed by bits
(set-logic QF_ABVFP)
(set-info :status sat)
(declare-const t (Array (_ BitVec 2) (_ FloatingPoint 8 24)))
(declare-const i (_ BitVec 2))
(assert (fp.lt (select t i) (select t (bvadd i #b01)) (select t (bvadd i #b10))))
(assert (= (select (store t i (_ NaN 8 24)) (bvnot i)) (fp.neg (select t i))))
(assert (fp.isSubnormal (fp.add RNE (select t #b00) (select t #b11))))
(check-sat)
