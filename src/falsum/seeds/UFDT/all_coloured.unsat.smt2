; an injective function on three values is onto
(set-logic UFDT)
(set-info :status unsat)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-fun f (Colour) Colour)
(declare-const c Colour)
(assert (distinct (f red) (f green) (f blue)))
(assert (forall ((x Colour)) (distinct (f x) c)))
(check-sat)
