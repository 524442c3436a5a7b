"""Which functions of z3's C interface make which operators; loaded by `z3.py` in the child."""

from __future__ import annotations

from typing import Any

# Operator → function of the C interface. How the arguments are handed over:
PLAIN = {  # all arguments in order
    "not": "not", "ite": "ite", "bvnot": "bvnot", "bvneg": "bvneg", "bvudiv": "bvudiv", "bvurem": "bvurem",
    "bvsdiv": "bvsdiv", "bvsrem": "bvsrem", "bvsmod": "bvsmod", "bvshl": "bvshl", "bvlshr": "bvlshr",
    "bvashr": "bvashr", "bvult": "bvult", "bvule": "bvule", "bvugt": "bvugt", "bvuge": "bvuge", "bvslt":
    "bvslt",
    "bvsle": "bvsle", "bvsgt": "bvsgt", "bvsge": "bvsge", "bvredor": "bvredor", "bvredand": "bvredand",
    "bvnand": "bvnand", "bvnor": "bvnor", "bvxnor": "bvxnor", "bvsub": "bvsub",
    "ext_rotate_left": "ext_rotate_left", "ext_rotate_right": "ext_rotate_right",
    "mod": "mod", "rem": "rem", "to_real": "int2real", "to_int": "real2int", "is_int": "is_int",
    "select": "select", "store": "store",
    "str.len": "seq_length", "str.at": "seq_at", "str.substr": "seq_extract", "str.prefixof": "seq_prefix",
    "str.suffixof": "seq_suffix", "str.contains": "seq_contains", "str.indexof": "seq_index",
    "str.replace": "seq_replace", "str.replace_all": "seq_replace_all", "str.replace_re": "seq_replace_re",
    "str.to_int": "str_to_int", "str.from_int": "int_to_str", "str.to_code": "string_to_code",
    "str.from_code": "string_from_code", "str.to_re": "seq_to_re", "str.in_re": "seq_in_re",
    "re.*": "re_star", "re.+": "re_plus", "re.opt": "re_option", "re.comp": "re_complement", "re.range":
    "re_range",
    "fp": "fpa_fp", "fp.abs": "fpa_abs", "fp.neg": "fpa_neg", "fp.sqrt": "fpa_sqrt",
    "fp.roundToIntegral": "fpa_round_to_integral", "fp.rem": "fpa_rem", "fp.min": "fpa_min", "fp.max":
    "fpa_max",
    "fp.fma": "fpa_fma", "fp.add": "fpa_add", "fp.sub": "fpa_sub", "fp.mul": "fpa_mul", "fp.div": "fpa_div",
    "fp.isNormal": "fpa_is_normal", "fp.isSubnormal": "fpa_is_subnormal", "fp.isZero": "fpa_is_zero",
    "fp.isInfinite": "fpa_is_infinite", "fp.isNaN": "fpa_is_nan", "fp.isNegative": "fpa_is_negative",
    "fp.isPositive": "fpa_is_positive", "fp.to_real": "fpa_to_real", "fp.to_ieee_bv": "fpa_to_ieee_bv",
}  # fmt: skip
MANY = {  # a count and an array
    "and": "and", "or": "or", "distinct": "distinct", "+": "add", "*": "mul", "str.++": "seq_concat",
    "re.++": "re_concat", "re.union": "re_union", "re.inter": "re_intersect",
}  # fmt: skip
FOLDED = {  # two at a time, from the left
    "xor": "xor", "bvand": "bvand", "bvor": "bvor", "bvadd": "bvadd", "bvmul": "bvmul", "bvxor": "bvxor",
    "concat": "concat", "/": "div", "div": "div", "re.diff": "re_diff",
}  # fmt: skip
CHAINED = {  # neighbours, all of them
    "=": "eq", "<=": "le", "<": "lt", ">=": "ge", ">": "gt", "str.<": "str_lt", "str.<=": "str_le",
    "fp.leq": "fpa_leq", "fp.lt": "fpa_lt", "fp.geq": "fpa_geq", "fp.gt": "fpa_gt", "fp.eq": "fpa_eq",
}  # fmt: skip
INDEXED = {  # indices first
    "extract": "extract", "repeat": "repeat", "zero_extend": "zero_ext", "sign_extend": "sign_ext",
    "rotate_left": "rotate_left", "rotate_right": "rotate_right", "int_to_bv": "int2bv",
}  # fmt: skip
LAST_INDEXED = {
    "re.loop": "re_loop",
    "re.^": "re_power",
    "fp.to_ubv": "fpa_to_ubv",
    "fp.to_sbv": "fpa_to_sbv",
}
# (function, further arguments): the operator says that none of them holds.
OVERFLOWS: dict[str, list[tuple[str, tuple[bool, ...]]]] = {
    "bvnego": [("bvneg_no_overflow", ())],
    "bvuaddo": [("bvadd_no_overflow", (False,))],
    "bvsaddo": [("bvadd_no_overflow", (True,)), ("bvadd_no_underflow", ())],
    "bvumulo": [("bvmul_no_overflow", (False,))],
    "bvsmulo": [("bvmul_no_overflow", (True,)), ("bvmul_no_underflow", ())],
    "bvusubo": [("bvsub_no_underflow", (False,))],
    "bvssubo": [("bvsub_no_overflow", ()), ("bvsub_no_underflow", (True,))],
    "bvsdivo": [("bvsdiv_no_overflow", ())],
}
OTHERS = {
    "=>": "implies", "-": "sub", "const": "const_array", "to_fp": "fpa_to_fp_float",
    "to_fp_unsigned": "fpa_to_fp_unsigned", "ubv_to_int": "bv2int", "sbv_to_int": "bv2int",
    "re.none": "re_empty", "re.all": "re_full", "re.allchar": "re_allchar", "bvcomp": "ite",
}  # fmt: skip
REGEXES = ("re.none", "re.all", "re.allchar")
SPECIALS = {
    "BitVec": ["zero", "one", "ones", "min_signed", "max_signed"],
    "Bool": ["true", "false"],
    "FloatingPoint": ["+oo", "-oo", "+zero", "-zero", "NaN"],
}


def extra(name: str, takes: list[str], gives: str = "nothing", **more: Any) -> dict[str, Any]:
    return {"name": name, "takes": takes, "gives": gives, **more}


EXTRAS = [
    extra("simplify", ["term"], "equal", weight=4),
    extra("substitute", ["term", "input", "same"], "term", weight=2),
    extra("translate", ["term"], "text", weight=1),
    extra("maximum", ["quantity"], "optimum", states=["sat"], weight=4),
    extra("eliminate", ["quantified"], "equal", weight=3),
    extra("consequences", ["formula"], "text", states=["check_sat"], weight=1),
    extra("statistics", [], "nothing", states=["check_sat"], weight=0.5),
    extra("to-smt2", [], "text", states=["assert"], weight=0.5),
    extra("reason-unknown", [], "text", states=["check_sat"], weight=0.2),
]


class Unfolded:
    """A definition kept here and unfolded where it is used."""

    def __init__(self, variables: list[Any], body: Any) -> None:
        self.variables = variables
        self.body = body

    def get_id(self) -> int:
        return id(self)
