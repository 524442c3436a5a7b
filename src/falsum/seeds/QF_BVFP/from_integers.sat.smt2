; signed and unsigned readings of one word differ
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const b (_ BitVec 8))
(assert (fp.lt ((_ to_fp 5 11) RNE b) ((_ to_fp_unsigned 5 11) RNE b)))
(assert (= ((_ fp.to_sbv 8) RTZ ((_ to_fp 5 11) RNE b)) b))
(assert (= ((_ to_fp 3 4) RTZ b) (fp.neg ((_ to_fp_unsigned 3 4) RTP (bvneg b)))))
(assert (bvult b #xfe))
(check-sat)
