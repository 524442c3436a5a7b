"""Laws of strings: those shared with sequences, and those of order, characters and numbers."""

from __future__ import annotations

from falsum.smtlib.theories.law import LawTable
from falsum.smtlib.theories.laws import words

_S = "((x String))"
_SS, _SSS = "((x String) (y String))", "((x String) (y String) (z String))"
_SSA = "((x String) (y String) (a String))"
_OWN = f"""
(law str.le-as-or equivalent {_SS} (str.<= x y) (or (str.< x y) (= x y)))
(law str.lt-as-and equivalent {_SS} (str.< x y) (and (str.<= x y) (distinct x y)))
(law str.not-lt equivalent {_SS} (not (str.< x y)) (str.<= y x))
(law str.not-le equivalent {_SS} (not (str.<= x y)) (str.< y x))
(law str.lt-same equivalent {_S} (str.< x x) false)
(law str.le-same equivalent {_S} (str.<= x x) true)
(law str.le-both equivalent {_SS} (and (str.<= x y) (str.<= y x)) (= x y))
(law str.le-empty equivalent {_S} (str.<= "" x) true)
(law str.lt-empty equivalent {_S} (str.< x "") false)
(law str.empty-lt equivalent {_S} (str.< "" x) (distinct x ""))
(law str.lt-chain equivalent {_SSS} (str.< x y z) (and (str.< x y) (str.< y z)))
(law str.le-chain equivalent {_SSS} (str.<= x y z) (and (str.<= x y) (str.<= y z)))
(law str.lt-concat-same equivalent {_SSS} (str.< (str.++ x y) (str.++ x z)) (str.< y z))
(law str.lt-characters equivalent {_SS} (str.< x y) (< (str.to_code x) (str.to_code y))
  :if (and (= (str.len x) 1) (= (str.len y) 1)))
(law str.is-digit-as-code equivalent {_S} (str.is_digit x) (<= 48 (str.to_code x) 57))
(law str.is-digit-as-in-re equivalent {_S} (str.is_digit x) (str.in_re x (re.range "0" "9")))
(law str.to-code-from-code equivalent ((i Int))
  (str.to_code (str.from_code i)) (ite (and (<= 0 i) (< i 196608)) i (- 1)))
(law str.from-code-to-code equivalent {_S} (str.from_code (str.to_code x)) (ite (= (str.len x) 1) x ""))
(law str.to-code-negative equivalent {_S} (= (str.to_code x) (- 1)) (distinct (str.len x) 1))
(law str.to-code-range equivalent {_S} (<= (- 1) (str.to_code x) 196607) true)
(law str.from-code-outside equivalent ((i Int)) (= (str.from_code i) "") (or (< i 0) (> i 196607)))
(law str.from-int-negative equivalent ((i Int)) (= (str.from_int i) "") (< i 0))
(law str.to-int-from-int equivalent ((i Int)) (str.to_int (str.from_int i)) (ite (>= i 0) i (- 1)))
(law str.to-int-range equivalent {_S} (>= (str.to_int x) (- 1)) true)
(law str.to-int-digits equivalent {_S} (>= (str.to_int x) 0) (str.in_re x (re.+ (re.range "0" "9"))))
(law str.lt-weaker-le implies {_SS} (str.< x y) (str.<= x y))
(law str.lt-weaker-distinct implies {_SS} (str.< x y) (distinct x y))
(law str.gt-weaker-distinct implies {_SS} (str.< y x) (distinct x y))
(law str.eq-weaker-le implies {_SS} (= x y) (str.<= x y))
(law str.lt-weaker-concat implies {_SSA} (str.< x y) (str.< x (str.++ y a)))
(law str.le-weaker-concat implies {_SSA} (str.<= x y) (str.< x (str.++ y a)) :if (> (str.len a) 0))
(law str.le-weaker-concat-le implies {_SSA} (str.<= x y) (str.<= x (str.++ y a)))
(law str.lt-stronger-concat implies {_SSA} (str.<= (str.++ x a) y) (str.< x y) :if (> (str.len a) 0))
(law str.le-stronger-concat implies {_SSA} (str.<= (str.++ x a) y) (str.<= x y))
(law str.lt-stronger-between implies {_SSA} (and (str.<= x a) (str.< a y)) (str.< x y))
(law str.le-stronger-between implies {_SSA} (and (str.<= x a) (str.<= a y)) (str.<= x y))
(law str.lt-weaker-ends implies {_SSS} (str.< x y z) (str.< x z))
(law str.le-weaker-ends implies {_SSS} (str.<= x y z) (str.<= x z))
(law str.lt-weaker-not-empty implies {_SS} (str.< x y) (distinct y ""))
(law str.prefixof-weaker-le implies {_SS} (str.prefixof x y) (str.<= x y))
(law str.is-digit-stronger-constant implies ((x String) (a String))
  (and (= x a) (str.is_digit a)) (str.is_digit x))
(law str.is-digit-weaker-len implies {_S} (str.is_digit x) (= (str.len x) 1))
(law str.is-digit-weaker-to-int implies {_S} (str.is_digit x) (<= 0 (str.to_int x) 9))
(law str.is-digit-weaker-range implies {_S} (str.is_digit x) (and (str.<= "0" x) (str.<= x "9")))
(law str.to-int-weaker-not-empty implies {_S} (>= (str.to_int x) 0) (distinct x ""))
(law str.eq-weaker-to-code implies {_SS} (= x y) (= (str.to_code x) (str.to_code y)))
(law str.eq-weaker-to-int implies {_SS} (= x y) (= (str.to_int x) (str.to_int y)))
(law str.distinct-stronger-to-int implies {_SS} (distinct (str.to_int x) (str.to_int y)) (distinct x y))
(law str.fuse-code inverse ((x String) (y Int) (z Int)) (= z (+ (str.to_code x) y))
  (and (= x (str.from_code (- z y))) (= y (- z (str.to_code x)))) :if (= (str.len x) 1))
(law str.fuse-number inverse ((x Int) (z String)) (= z (str.from_int x)) (= x (str.to_int z)) :if (>= x 0))
"""

_SHARED = words.TABLE.replace(" W)", " String)").replace("EMPTY", '""').replace("w.", "str.")

LAWS = LawTable("Strings", _SHARED + _OWN)
