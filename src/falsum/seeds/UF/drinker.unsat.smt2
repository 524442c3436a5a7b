; the drinker's formula, refuted negation
(set-logic UF)
(set-info :status unsat)
(declare-sort Person 0)
(declare-fun drinks (Person) Bool)
(assert (not (exists ((x Person)) (=> (drinks x) (forall ((y Person)) (drinks y))))))
(check-sat)
