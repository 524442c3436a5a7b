# ruff: noqa: E501  (a formula stands on one line)
"""Every corner of the standard theories, as ground formulas: true, false, or open."""

from __future__ import annotations

import pytest
from tests.smtlib.saying import says

TRUE = {
    "core": """
        (=> false false false)
        (not (=> true true false))
        (xor true true true)
        (= 1 1 1)
        (not (= 1 1 2))
        (distinct 1 2 3)
        (not (distinct 1 2 1))
        (and) (not (or))
        (= (ite true 1 2) 1)
        (implies false true) (iff true true)
        (= (let ((x 1) (y 2)) (let ((x y) (y x)) (- x y))) 1)
    """,
    "integers": """
        (= (div 7 2) 3) (= (div (- 7) 2) (- 4)) (= (div 7 (- 2)) (- 3)) (= (div (- 7) (- 2)) 4)
        (= (mod 7 2) 1) (= (mod (- 7) 2) 1) (= (mod 7 (- 2)) 1) (= (mod (- 7) (- 2)) 1)
        (= (abs (- 3)) 3) (= (- 10 3 2) 5) (= (div 100 5 2) 10)
        ((_ divisible 3) (- 9)) (not ((_ divisible 3) 10))
        (= (** 0 0) 1) (= (** 2 10) 1024) (= (** (- 1) (- 3)) (- 1)) (= (** (- 1) (- 2)) 1)
        (= (** 5 (- 1)) 0) (= (** (- 2) 3) (- 8))
        (< 1 2 3) (not (< 1 3 2)) (<= 1 1 2) (> 3 2 1) (>= 2 2 1)
    """,
    "reals": """
        (= (/ 1.0 3.0) (/ 2.0 6.0)) (= (to_int (- 1.3)) (- 2)) (= (to_int 1.3) 1)
        (is_int 2.0) (not (is_int 2.5)) (= (to_real 3) 3.0) (= (/ 8.0 2.0 2.0) 2.0)
    """,
    "bit-vectors": """
        (= (bvudiv #x5 #x0) #xf) (= (bvurem #x5 #x0) #x5)
        (= (bvsdiv #x5 #x0) #xf) (= (bvsdiv #xb #x0) #x1) (= (bvsdiv #x0 #x0) #xf)
        (= (bvsrem #xb #x0) #xb) (= (bvsmod #xb #x0) #xb)
        (= (bvsdiv #x8 #xf) #x8) (= (bvsrem #xb #x3) #xe) (= (bvsmod #xb #x3) #x1) (= (bvsmod #x5 #xd) #xf)
        (= (bvshl #x1 #x4) #x0) (= (bvlshr #x8 #x9) #x0) (= (bvashr #x8 #xf) #xf) (= (bvashr #x4 #xf) #x0)
        (= (bvcomp #x1 #x1) #b1) (= (bvcomp #x1 #x2) #b0) (= (concat #b1 #b00) #b100)
        (= ((_ repeat 3) #b10) #b101010) (= ((_ rotate_left 5) #b1000) #b0001)
        (= ((_ rotate_right 1) #b0001) #b1000) (= ((_ sign_extend 2) #b10) #b1110)
        (= ((_ zero_extend 0) #b10) #b10) (= ((_ extract 2 1) #b0110) #b11)
        (bvnego #x8) (not (bvnego #x7)) (bvuaddo #xf #x1) (not (bvuaddo #xf #x0))
        (bvsaddo #x7 #x1) (bvumulo #x8 #x2) (bvsmulo #x4 #x2) (bvusubo #x1 #x2) (bvssubo #x8 #x1)
        (bvssubo #x0 #x8) (not (bvssubo #xf #x8)) (bvsdivo #x8 #xf) (not (bvsdivo #x8 #x1))
        (= (ubv_to_int #xf) 15) (= (sbv_to_int #xf) (- 1)) (= ((_ int_to_bv 4) (- 1)) #xf)
        (= (bv2nat #xa) 10) (= ((_ int2bv 4) 17) #x1)
        (= (bvxnor #b1010 #b0110) #b0011) (= (bvnand #b11 #b10) #b01) (= (bvnor #b01 #b00) #b10)
    """,
    "floats": """
        (= (_ NaN 5 11) (fp #b1 #b11111 #b0000000001)) (not (fp.eq (_ NaN 5 11) (_ NaN 5 11)))
        (not (= (_ +zero 5 11) (_ -zero 5 11))) (fp.eq (_ +zero 5 11) (_ -zero 5 11))
        (not (fp.leq (_ NaN 5 11) (_ +oo 5 11))) (not (fp.isNegative (_ NaN 5 11)))
        (not (fp.isPositive (_ NaN 5 11))) (fp.isNegative (_ -zero 5 11))
        (fp.isSubnormal (fp #b0 #b00000 #b0000000001)) (fp.isNormal (fp #b0 #b00001 #b0000000000))
        (= (fp.min (_ NaN 5 11) (_ +oo 5 11)) (_ +oo 5 11)) (= (fp.max (_ -oo 5 11) (_ NaN 5 11)) (_ -oo 5 11))
        (= (fp.sqrt RNE (_ -zero 5 11)) (_ -zero 5 11)) (fp.isNaN (fp.sqrt RNE (_ -oo 5 11)))
        (= (fp.add RNE (_ -zero 5 11) (_ -zero 5 11)) (_ -zero 5 11))
        (= (fp.add RNE (_ +zero 5 11) (_ -zero 5 11)) (_ +zero 5 11))
        (= (fp.add RTN (_ +zero 5 11) (_ -zero 5 11)) (_ -zero 5 11))
        (fp.isNaN (fp.add RNE (_ +oo 5 11) (_ -oo 5 11)))
        (fp.isNaN (fp.fma RNE (_ +zero 5 11) (_ +oo 5 11) (_ NaN 5 11)))
        (fp.isNaN (fp.rem (_ +oo 5 11) (_ +oo 5 11)))
        (= (fp.rem (fp #b1 #b01111 #b0000000000) (_ +oo 5 11)) (fp #b1 #b01111 #b0000000000))
        (= (fp.roundToIntegral RNE (_ -zero 5 11)) (_ -zero 5 11))
        (= ((_ to_fp 5 11) RNE 65520.0) (_ +oo 5 11)) (= ((_ to_fp 5 11) RTZ 65520.0) (fp #b0 #b11110 #b1111111111))
        (= ((_ to_fp 5 11) RTN (- 65520.0)) (_ -oo 5 11))
        (= ((_ to_fp 5 11) RNA 2049.0) ((_ to_fp 5 11) RNE 2050.0))
        (= ((_ to_fp 5 11) RNE 2049.0) ((_ to_fp 5 11) RNE 2048.0))
        (= ((_ to_fp 5 11) #x7c00) (_ +oo 5 11))
        (= ((_ to_fp 5 11) RNE #xff) ((_ to_fp 5 11) RNE (- 1.0)))
        (= ((_ to_fp_unsigned 5 11) RNE #xff) ((_ to_fp 5 11) RNE 255.0))
        (= ((_ fp.to_ubv 4) RNE ((_ to_fp 5 11) RNE 2.5)) #x2)
        (= ((_ fp.to_ubv 4) RTZ ((_ to_fp 5 11) RNE (- 0.5))) #x0)
        (= ((_ fp.to_sbv 4) RTN ((_ to_fp 5 11) RNE (- 7.5))) #x8)
        (= (fp.to_real ((_ to_fp 5 11) RNE 0.5)) 0.5)
        (fp.lt (_ -oo 5 11) (_ +zero 5 11) (_ +oo 5 11))
        (= (fp.roundToIntegral RNE (fp #b0 #b10 #b11)) (_ +oo 2 3))
    """,
    "strings": r"""
        (= (str.at "abc" 3) "") (= (str.at "abc" (- 1)) "") (= (str.substr "abc" 1 9) "bc")
        (= (str.substr "abc" 3 1) "") (= (str.substr "abc" 0 0) "") (= (str.substr "abc" (- 1) 2) "")
        (= (str.indexof "abc" "" 3) 3) (= (str.indexof "abc" "" 4) (- 1)) (= (str.indexof "aa" "a" 1) 1)
        (= (str.indexof "abc" "" (- 1)) (- 1))
        (= (str.replace "abc" "" "x") "xabc") (= (str.replace_all "abc" "" "x") "abc")
        (= (str.replace_all "aaa" "aa" "b") "ba") (= (str.replace "aaa" "a" "b") "baa")
        (= (str.replace_re "aab" (re.+ (str.to_re "a")) "x") "xab")
        (= (str.replace_re "b" (re.* (str.to_re "a")) "x") "xb")
        (= (str.replace_re_all "aab" (re.* (str.to_re "a")) "x") "xxb")
        (= (str.to_code "") (- 1)) (= (str.to_code "ab") (- 1)) (= (str.from_code 196608) "")
        (= (str.from_code 65) "A") (= (str.to_int "007") 7) (= (str.to_int "") (- 1))
        (= (str.to_int "-1") (- 1)) (= (str.from_int (- 1)) "") (= (str.from_int 10) "10")
        (str.is_digit "7") (not (str.is_digit "77")) (not (str.is_digit "\u{660}"))
        (str.< "" "a") (not (str.< "a" "a")) (str.<= "a" "a") (str.< "Z" "a")
        (str.prefixof "" "a") (str.suffixof "bc" "abc") (str.contains "abc" "") (str.prefixof "ab" "abc")
        (= (str.len "\u{41}") 1) (= (str.len "\u41") 4) (= (str.len "\x41") 4) (= (str.len "\u{30000}") 9)
        (= (str.len "a""b") 3) (= "\u0041" "A")
        (not (str.in_re "b" (re.range "a" "ab"))) (not (str.in_re "b" (re.range "c" "a")))
        (str.in_re "b" (re.range "a" "c")) (not (str.in_re "" ((_ re.loop 2 1) (str.to_re ""))))
        (str.in_re "" ((_ re.^ 0) re.none)) (str.in_re "" (re.opt re.none))
        (str.in_re "ab" (re.comp (str.to_re "a"))) (not (str.in_re "a" (re.diff re.all re.all)))
        (str.in_re "\u{2ffff}" re.allchar) (not (str.in_re "" re.allchar)) (not (str.in_re "" (re.+ re.allchar)))
        (= (re.* (str.to_re "a")) (re.union (str.to_re "") (re.+ (str.to_re "a"))))
        (distinct (re.* re.allchar) (re.+ re.allchar))
    """,
    "arrays": """
        (= (select (store ((as const (Array Int Int)) 0) 1 2) 1) 2)
        (= (store ((as const (Array Int Int)) 0) 1 0) ((as const (Array Int Int)) 0))
        (= (store (store ((as const (Array Int Int)) 0) 1 2) 2 3) (store (store ((as const (Array Int Int)) 0) 2 3) 1 2))
        (= (store (store ((as const (Array Bool Int)) 7) true 1) false 2) (store (store ((as const (Array Bool Int)) 8) false 2) true 1))
        (= (store ((as const (Array (_ BitVec 1) Int)) 5) #b1 7) (store ((as const (Array (_ BitVec 1) Int)) 7) #b0 5))
        (distinct ((as const (Array Int Int)) 0) (store ((as const (Array Int Int)) 0) 1 2))
        (= (select (select (store ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 1)) 3 ((as const (Array Int Int)) 4)) 3) 9) 4)
        (= ((as const (Array Int Int)) 3) (lambda ((x Int)) 3))
        (= (store ((as const (Array Int Int)) 3) 5 1) (lambda ((x Int)) (ite (= x 5) 1 3)))
    """,
    "sequences and sets": """
        (= (seq.len (seq.++ (seq.unit 1) (seq.unit 2))) 2) (= (seq.nth (seq.unit 4) 0) 4)
        (= (seq.extract (seq.++ (seq.unit 1) (seq.unit 2)) 1 5) (seq.unit 2))
        (set.member 1 (set.insert 1 2 (as set.empty (Set Int))))
        (= (set.card (set.union (set.singleton 1) (set.singleton 1))) 1)
        (= (set.choose (set.singleton 4)) 4)
        (= (ff.add (as ff3 (_ FiniteField 5)) (as ff4 (_ FiniteField 5))) (as ff2 (_ FiniteField 5)))
    """,
}  # fmt: skip
OPEN = """
    (= (div 1 0) 0) (= (mod 1 0) 1) (= (/ 1.0 0.0) 0.0) (= (** 0 (- 1)) 0)
    (= (fp.to_real (_ +oo 5 11)) 0.0) (= ((_ fp.to_ubv 4) RNE (_ NaN 5 11)) #x0)
    (= ((_ fp.to_ubv 4) RNE ((_ to_fp 5 11) RNE (- 1.0))) #x0)
    (= ((_ fp.to_sbv 4) RNE ((_ to_fp 5 11) RNE 7.5)) #x7)
    (= (fp.min (_ +zero 5 11) (_ -zero 5 11)) (_ +zero 5 11))
    (= (fp.max (_ -zero 5 11) (_ +zero 5 11)) (_ +zero 5 11))
    (= (seq.nth (seq.unit 1) 1) 1)
    (= (fp.to_ieee_bv (_ NaN 5 11)) #x7e00)
    (= (set.choose (as set.empty (Set Int))) 1)
"""


def _formulas(text: str) -> list[str]:
    """The formulas of a block of text, which stand next to one another."""
    out, depth, start, quoted = [], 0, 0, False
    for place, char in enumerate(text):
        quoted ^= char == '"'
        if char == "(" and not quoted:
            start = place if depth == 0 else start
            depth += 1
        elif char == ")" and not quoted:
            depth -= 1
            if depth == 0:
                out.append(text[start : place + 1])
    return out


@pytest.mark.parametrize("formula", [f for block in TRUE.values() for f in _formulas(block)])
def test_true_and_its_negation_false(formula: str) -> None:
    assert says(formula) is True
    assert says(f"(not {formula})") is False


@pytest.mark.parametrize("formula", _formulas(OPEN))
def test_open(formula: str) -> None:
    assert "open here" in str(says(formula))
    assert "open here" in str(says(f"(not {formula})"))


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("(= (** 2 100000000) 0)", "integer too big"),
        ('(= (str.len (str.++ (str.from_int (** 10 5000)) "")) 5001)', True),
        ('(str.in_re (str.from_int (** 3 200)) ((_ re.^ 90) (re.union (re.* re.allchar) (str.to_re "1"))))', True),
        ('(= ((_ re.loop 1 1000000) (str.to_re "ab")) ((_ re.loop 2 1000000) (str.to_re "ab")))', False),
    ],
)  # fmt: skip
def test_large_values_end_or_exceed_their_budget(formula: str, said: bool | str) -> None:
    assert says(formula) == said


def test_an_unknown_part_may_not_matter() -> None:
    assert says("(and false (= (div 1 0) 2))") is False
    assert says("(and (= (div 1 0) 2) false)") is False
    assert says("(or (= (div 1 0) 2) true)") is True
    assert says("(=> (= (div 1 0) 2) true)") is True
    assert says("(=> false (= (div 1 0) 2))") is True
    assert says("(= (ite (= (div 1 0) 2) 5 5) 5)") is True
    assert says("(= (select ((as const (Array Int Int)) 3) (div 1 0)) 3)") is True
    assert says("(xor (= (div 1 0) 2) true (= (div 1 0) 2))") is True


def test_operators_beyond_us_are_named() -> None:
    assert says("((_ linear-order 0) 1 2)") == "linear-order is not evaluated"
