"""What programs read through a pipe: operators by theory, and the capabilities of each product."""

from __future__ import annotations

from typing import Any

CORE = "not => and or xor = distinct ite"
BITVECTORS = (
    "concat extract repeat zero_extend sign_extend rotate_left rotate_right bvnot bvneg bvcomp bvand bvor "
    "bvadd bvmul bvxor bvnand bvnor bvxnor bvsub bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr "
    "bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge"
)
FLOATS = (
    "fp fp.abs fp.neg fp.sqrt fp.roundToIntegral fp.rem fp.min fp.max fp.fma fp.add fp.sub fp.mul fp.div "
    "fp.leq fp.lt fp.geq fp.gt fp.eq fp.isNormal fp.isSubnormal fp.isZero fp.isInfinite fp.isNaN "
    "fp.isNegative fp.isPositive to_fp to_fp_unsigned fp.to_ubv fp.to_sbv fp.to_real"
)
ARITHMETIC = "- + * / div mod abs <= < >= > to_real to_int is_int"
STRINGS = (
    "str.++ str.len str.< str.<= str.at str.substr str.prefixof str.suffixof str.contains str.indexof "
    "str.replace str.to_code str.from_code str.to_int str.from_int str.to_re str.in_re re.range re.none "
    "re.all re.allchar re.++ re.union re.inter re.* re.comp re.+ re.opt re.^ re.loop"
)
NEWER_STRINGS = "str.replace_all str.replace_re str.replace_re_all str.is_digit re.diff"
ARRAYS = "select store"

# Chainable by the standard, but all programs take only two arguments.
BINARY = ("str.<", "str.<=")

SORTS = ["Bool", "Int", "Real", "BitVec", "Array", "->"]
STRING_SORTS = ["String", "RegLan"]
FLOAT_SORTS = ["FloatingPoint", "RoundingMode"]
FEATURES = [
    "incremental", "assumptions", "models", "functions", "unsat-assumptions", "declared-sorts", "logic",
    "reset", "reset-assertions", "print", "function-values", "nested-arrays", "one-shot",
]  # fmt: skip
CVC = {
    "arguments": ["--quiet", "--lang=smt2", "--incremental", "--strings-exp"],
    "sorts": [*SORTS, *STRING_SORTS],
    "features": [*FEATURES, "cores", "quantifiers", "datatypes"],
    "constant_arguments": {"const": [0], "re.range": [0, 1]},
    "refusals": [
        r"(?:is|are) not (?:yet )?supported",
        r"[Uu]nimplemented code",
        r"Unhandled feature",
        r"cannot be declared in logic",
        r"not defined in this logic",
        r"doesn't include",
        r"A non-linear (?:fact|term)",
        r"Array theory solver does not yet support",
        r"expected constant term inside array constant",
        r"Equality between regular expressions",
        r"single constant string term in regexp range|less or equal to the second one in regexp range",
        r"Cannot handle assertion with term of kind|cannot handle",
        r"code point is less than or equal to 255",  # cvc4's strings have no other characters
    ],
}
# Of each product the arguments of the program and the fields of the capabilities.
PRODUCTS: dict[str, dict[str, Any]] = {
    "z3": {
        "arguments": ["-smt2", "-in"],
        "operators": f"{CORE} {BITVECTORS} {FLOATS} {ARITHMETIC} {STRINGS} {NEWER_STRINGS} {ARRAYS} const "
        "bvredor bvredand",
        "sorts": [*SORTS, *STRING_SORTS, *FLOAT_SORTS],
        "features": [*FEATURES, "cores", "quantifiers", "array-indices", "datatypes", "updaters"],
        "updater": "update-field",
        "constant_arguments": {"re.range": [0, 1]},
        "refusals": [
            r"not supported",
            r"unsupported",
            r"logic (?:does not support|supports only)",
            r"canceled",
            r"unknown constant const ",
            r"invalid value for ",
            r"must be ground and must not contain quantifiers",
            r"illegal \S+ (?:\S+ )?numeral",  # the value of an option
        ],
        "extras": [{"name": "simplify", "args": ["term"], "returns": "equal", "weight": 4}],
    },
    "cvc5": {
        **CVC,
        "operators": f"{CORE} {BITVECTORS} {FLOATS} {ARITHMETIC} {STRINGS} {NEWER_STRINGS} {ARRAYS} "
        "const divisible",
        "arguments": [*CVC["arguments"], "--arrays-exp"],
        "sorts": [*CVC["sorts"], *FLOAT_SORTS],
        "float_formats": [[8, 24], [11, 53]],
        "features": [*CVC["features"], "updaters"],
        "updater": "update",
    },
    "cvc4": {
        **CVC,
        "operators": f"{CORE} {BITVECTORS} {ARITHMETIC} divisible {STRINGS} {NEWER_STRINGS} {ARRAYS} const",
    },
    "yices": {
        "arguments": ["--incremental", "--smt2-model-format"],
        "operators": f"{CORE} {BITVECTORS} {ARITHMETIC} divisible {ARRAYS}",
        "sorts": SORTS,
        "features": FEATURES,
        "refusals": [
            r"not supported",
            r"(?i)non-?linear",
            r"division by (?:zero|a non-constant)",
            r"(?:requires|not allowed|non-constant)",
        ],
    },
}

# What each theory adds for a program of which nothing else is known: operators, sorts, features.
_COMPARISONS = "<= < >= >"
_BY_THEORY: dict[str, tuple[str, list[str], list[str]]] = {
    "bitvectors": (BITVECTORS, ["BitVec"], []),
    "floats": (FLOATS, [*FLOAT_SORTS, "BitVec"], []),
    "ints": (f"- + * div mod abs {_COMPARISONS}", ["Int"], []),
    "reals": (f"- + * / {_COMPARISONS}", ["Real"], []),
    "strings": (f"{STRINGS} {NEWER_STRINGS}", [*STRING_SORTS, "Int"], []),
    "arrays": (ARRAYS, ["Array"], []),
    "uf": ("", ["->"], ["functions", "declared-sorts"]),
    "quantifiers": ("", [], ["quantifiers"]),
    "datatypes": ("", [], ["datatypes"]),
}


def theory_table(theories: list[str]) -> dict[str, Any]:
    """The fields of the capabilities that follow from theories alone."""
    tables = [_BY_THEORY[theory] for theory in theories if theory in _BY_THEORY]
    operators = [CORE, *(each[0] for each in tables)]
    if {"ints", "reals"} <= set(theories):
        operators.append("to_real to_int is_int")
    words = dict.fromkeys(" ".join(operators).split())
    if "reals" not in theories:
        words.pop("fp.to_real", None)
    return {
        "operators": " ".join(words),
        "sorts": list(dict.fromkeys(["Bool", *(sort for each in tables for sort in each[1])])),
        "features": [feature for each in tables for feature in each[2]],
        "constant_arguments": {"re.range": [0, 1]},
        "refusals": [
            r"(?i)not supported|unsupported|not implemented|unimplemented|non-?linear",
            r"(?i)unknown (?:command|option)",
        ],
    }
