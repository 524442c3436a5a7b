; a tower of lets that doubles
(set-logic QF_LRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (let ((a (+ x y))) (let ((b (+ a a))) (let ((c (+ b b)) (a (- b x))) (and (> c a) (< (+ c a) 10.0))))))
(assert (let ((a (- x y)) (b (+ x 0.5))) (=> (> a b) (< b a 0.0))))
(assert (not (= x y)))
(check-sat)
