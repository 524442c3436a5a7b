; rounding half up against truncation, in two scopes
; expect: sat unsat
(set-logic QF_LIRA)
(declare-const x Real)
(define-fun round ((t Real)) Int (to_int (+ t 0.5)))
(define-fun trunc ((t Real)) Int (ite (>= t 0.0) (to_int t) (- (to_int (- t)))))
(push 1)
(assert (= (round x) (- (trunc x) 1)))
(set-info :status sat)
(check-sat)
(pop 1)
(assert (= (round x) (+ (trunc x) 2)))
(set-info :status unsat)
(check-sat)
