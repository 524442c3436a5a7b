; rotations, repetitions and extractions of one word
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 12))
(assert (= ((_ rotate_left 5) x) (bvxnor x ((_ repeat 3) #xa))))
(assert (= ((_ rotate_right 29) x) ((_ rotate_left 7) x)))
(assert (= ((_ extract 0 0) x) #b1))
(assert (bvugt (concat ((_ extract 3 0) x) ((_ extract 11 4) x)) #x0ff))
(check-sat)
