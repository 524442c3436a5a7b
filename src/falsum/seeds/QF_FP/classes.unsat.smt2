; the classes cover every number exactly once
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 8 24))
(define-fun one ((a Bool)) (_ FloatingPoint 8 24) (ite a ((_ to_fp 8 24) RNE 1.0) (_ +zero 8 24)))
(assert (distinct ((_ to_fp 8 24) RNE 1.0)
  (fp.add RNE (one (fp.isNormal x)) (fp.add RNE (one (fp.isSubnormal x)) (fp.add RNE (one (fp.isZero x))
    (fp.add RNE (one (fp.isInfinite x)) (one (fp.isNaN x))))))))
(check-sat)
