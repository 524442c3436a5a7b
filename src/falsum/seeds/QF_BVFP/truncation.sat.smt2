; conversion to words by two modes
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 8 24))
(assert (not (fp.isNegative x)))
(assert (fp.lt x ((_ to_fp 8 24) RNE 7.0)))
(assert (= ((_ fp.to_ubv 4) RTP x) (bvadd #x1 ((_ fp.to_ubv 4) RTZ x))))
(assert (= ((_ fp.to_sbv 4) RNA x) (bvadd ((_ fp.to_sbv 4) RNE x) #x1)))
(check-sat)
