; an optional value is there or not
(set-logic ALL)
(set-info :status unsat)
(declare-const n (Nullable Int))
(assert (not (nullable.is_null n)))
(assert (distinct n (nullable.some (nullable.val n))))
(check-sat)
