; quantifiers over an enumeration
(set-logic UFDT)
(set-info :status sat)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-fun next (Colour) Colour)
(assert (forall ((x Colour)) (distinct x (next x) (next (next x)))))
(assert (= (next red) blue))
(check-sat)
