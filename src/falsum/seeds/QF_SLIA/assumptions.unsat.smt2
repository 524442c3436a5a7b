; assumptions over lengths and prefixes
; expect: sat unsat
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(declare-const p Bool)
(assert (= p (= (str.len s) (str.len t))))
(assert (str.prefixof s t))
(set-info :status sat)
(check-sat-assuming ((not p) (str.suffixof s t)))
(set-info :status unsat)
(check-sat-assuming (p (distinct s t)))
