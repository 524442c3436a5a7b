; extensions by zero and rotations by multiples of the width do nothing
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 5))
(assert (or (distinct ((_ zero_extend 0) x) x) (distinct ((_ sign_extend 0) x) ((_ repeat 1) x)) (distinct ((_ rotate_left 10) x) ((_ rotate_right 0) x))))
(check-sat)
