; rounding to integral, ties to even and away
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float16)
(assert (fp.eq (fp.roundToIntegral RNE x) ((_ to_fp 5 11) RTZ 2.0)))
(assert (fp.eq (fp.roundToIntegral RNA x) ((_ to_fp 5 11) RTZ 3.0)))
(assert (fp.eq (fp.roundToIntegral RTZ (fp.neg x)) (fp.neg (fp.roundToIntegral RTN x))))
(check-sat)
