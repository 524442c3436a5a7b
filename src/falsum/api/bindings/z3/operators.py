"""Which functions of z3's C interface and Python module make which operators."""

from __future__ import annotations

from typing import Any

# Operator → function of the C interface, by how arguments are passed:
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
    "abs": "abs", "^": "power", "default": "array_default", "array-ext": "array_ext",
    "complement": "set_complement", "subset": "set_subset", "str.from_ubv": "ubv_to_str",
    "str.from_sbv": "sbv_to_str", "str.last_indexof": "seq_last_index",
    "str.replace_re_all": "seq_replace_re_all",
    "seq.len": "seq_length", "seq.at": "seq_at", "seq.extract": "seq_extract", "seq.prefixof": "seq_prefix",
    "seq.suffixof": "seq_suffix", "seq.contains": "seq_contains", "seq.last_indexof": "seq_last_index",
    "seq.replace": "seq_replace", "seq.replace_all": "seq_replace_all", "seq.unit": "seq_unit",
    "seq.nth": "seq_nth", "seq.map": "seq_map",
    "set.subset": "finite_set_subset", "set.member": "finite_set_member", "set.card": "finite_set_size",
    "set.singleton": "finite_set_singleton", "ff.neg": "ff_neg",
}  # fmt: skip
ARRAY = {  # a count and an array
    "and": "and", "or": "or", "distinct": "distinct", "+": "add", "*": "mul", "str.++": "seq_concat",
    "re.++": "re_concat", "re.union": "re_union", "re.inter": "re_intersect", "union": "set_union",
    "intersection": "set_intersect", "seq.++": "seq_concat", "ff.add": "ff_add", "ff.mul": "ff_mul",
    "ff.bitsum": "ff_bitsum",
}  # fmt: skip
FOLDED = {  # two at a time, from the left
    "xor": "xor", "bvand": "bvand", "bvor": "bvor", "bvadd": "bvadd", "bvmul": "bvmul", "bvxor": "bvxor",
    "concat": "concat", "/": "div", "div": "div", "re.diff": "re_diff", "setminus": "set_difference",
    "set.union": "finite_set_union", "set.inter": "finite_set_intersect",
    "set.minus": "finite_set_difference",
}  # fmt: skip
CHAINED = {  # the conjunction of all neighbouring pairs
    "=": "eq", "<=": "le", "<": "lt", ">=": "ge", ">": "gt", "str.<": "str_lt", "str.<=": "str_le",
    "fp.leq": "fpa_leq", "fp.lt": "fpa_lt", "fp.geq": "fpa_geq", "fp.gt": "fpa_gt", "fp.eq": "fpa_eq",
}  # fmt: skip
INDEXED = {  # indices first
    "extract": "extract", "repeat": "repeat", "zero_extend": "zero_ext", "sign_extend": "sign_ext",
    "rotate_left": "rotate_left", "rotate_right": "rotate_right", "int_to_bv": "int2bv",
    "bit2bool": "bit2bool",
}  # fmt: skip
INDEXED_LAST = {
    "re.loop": "re_loop",
    "re.^": "re_power",
    "fp.to_ubv": "fpa_to_ubv",
    "fp.to_sbv": "fpa_to_sbv",
}
# (function, further arguments): the operator is the negation of their conjunction.
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
NO_OVERFLOW = {  # function of the C interface → function of the Python module
    "bvneg_no_overflow": "BVSNegNoOverflow", "bvadd_no_overflow": "BVAddNoOverflow",
    "bvadd_no_underflow": "BVAddNoUnderflow", "bvmul_no_overflow": "BVMulNoOverflow",
    "bvmul_no_underflow": "BVMulNoUnderflow", "bvsub_no_overflow": "BVSubNoOverflow",
    "bvsub_no_underflow": "BVSubNoUnderflow", "bvsdiv_no_overflow": "BVSDivNoOverflow",
}  # fmt: skip
OTHERS = {
    "=>": "implies", "-": "sub", "const": "const_array", "to_fp": "fpa_to_fp_float",
    "to_fp_unsigned": "fpa_to_fp_unsigned", "ubv_to_int": "bv2int", "sbv_to_int": "bv2int",
    "re.none": "re_empty", "re.all": "re_full", "re.allchar": "re_allchar", "bvcomp": "ite",
    "seq.indexof": "seq_index", "seq.empty": "seq_empty", "set.empty": "finite_set_empty",
    "divisible": "divides", "at-most": "atmost", "at-least": "atleast",
}  # fmt: skip
REGEXES = ("re.none", "re.all", "re.allchar")
SPECIAL_VALUES = {
    "BitVec": ["zero", "one", "ones", "min_signed", "max_signed"],
    "Bool": ["true", "false"],
    "FloatingPoint": ["+oo", "-oo", "+zero", "-zero", "NaN"],
}


# Made by parsing, since no function of the C interface makes them; with a function that only releases have
# which can parse the operator.
PARSED = {
    "bvcomp": "", "bit0": "", "bit1": "", "mkbv": "string_to_code",
    "re.reverse": "re_allchar", "str.is_digit": "string_to_code",
}  # fmt: skip
# Also made by parsing, in releases that can parse them; with the number of arguments.
ALSO_PARSED = {
    "bvnego": 1, "sbv_to_int": 1, "bvuaddo": 2, "bvsaddo": 2, "bvumulo": 2, "bvsmulo": 2, "bvusubo": 2,
    "bvssubo": 2, "bvsdivo": 2,
}  # fmt: skip
# Operator → function of the Python module, arguments in the same order.
PYTHON = {
    "and": "And", "or": "Or", "not": "Not", "ite": "If", "distinct": "Distinct", "concat": "Concat",
    "bvudiv": "UDiv", "bvurem": "URem", "bvsrem": "SRem", "bvlshr": "LShR", "bvule": "ULE", "bvult": "ULT",
    "bvuge": "UGE", "bvugt": "UGT", "bvnand": "BvNand", "bvnor": "BvNor", "bvxnor": "BvXnor",
    "bvredor": "BVRedOr", "bvredand": "BVRedAnd", "ext_rotate_left": "RotateLeft",
    "ext_rotate_right": "RotateRight", "select": "Select", "store": "Store", "to_real": "ToReal",
    "to_int": "ToInt", "is_int": "IsInt", "str.len": "Length", "str.substr": "SubString",
    "str.prefixof": "PrefixOf", "str.suffixof": "SuffixOf", "str.contains": "Contains",
    "str.indexof": "IndexOf", "str.replace": "Replace", "str.to_int": "StrToInt", "str.from_int": "IntToStr",
    "str.to_code": "StrToCode", "str.from_code": "StrFromCode", "str.to_re": "Re", "str.in_re": "InRe",
    "str.++": "Concat", "str.last_indexof": "LastIndexOf",
    "re.*": "Star", "re.+": "Plus", "re.opt": "Option", "re.comp": "Complement", "re.union": "Union",
    "re.inter": "Intersect", "re.++": "Concat",
    "fp.abs": "fpAbs", "fp.neg": "fpNeg", "fp.add": "fpAdd", "fp.sub": "fpSub", "fp.mul": "fpMul",
    "fp.div": "fpDiv", "fp.rem": "fpRem", "fp.fma": "fpFMA", "fp.sqrt": "fpSqrt", "fp.min": "fpMin",
    "fp.max": "fpMax", "fp.roundToIntegral": "fpRoundToIntegral", "fp.isNaN": "fpIsNaN",
    "fp.isInfinite": "fpIsInf", "fp.isZero": "fpIsZero", "fp.isNormal": "fpIsNormal",
    "fp.isSubnormal": "fpIsSubnormal", "fp.isNegative": "fpIsNegative", "fp.isPositive": "fpIsPositive",
    "fp.to_real": "fpToReal", "fp.to_ieee_bv": "fpToIEEEBV", "fp": "fpFP",
    "abs": "Abs", "default": "Default", "array-ext": "Ext", "union": "SetUnion",
    "intersection": "SetIntersect",
    "complement": "SetComplement", "subset": "IsSubset",
    "seq.++": "Concat", "seq.len": "Length", "seq.extract": "SubSeq", "seq.contains": "Contains",
    "seq.unit": "Unit", "seq.map": "SeqMap", "seq.replace": "Replace", "seq.prefixof": "PrefixOf",
    "seq.suffixof": "SuffixOf", "seq.last_indexof": "LastIndexOf", "set.subset": "FiniteSetSubset",
    "set.member": "FiniteSetMember", "set.card": "FiniteSetSize", "set.singleton": "Singleton",
    "ff.bitsum": "FiniteFieldBitsum", "+": "Sum", "*": "Product",
}  # fmt: skip
PYTHON_BINARY = {  # two arguments only
    "=>": "Implies", "xor": "Xor", "fp.leq": "fpLEQ", "fp.lt": "fpLT", "fp.geq": "fpGEQ", "fp.gt": "fpGT",
    "fp.eq": "fpEQ", "re.diff": "Diff", "re.range": "Range", "set.union": "FiniteSetUnion",
    "set.inter": "FiniteSetIntersect", "set.minus": "FiniteSetDifference", "setminus": "SetDifference",
}  # fmt: skip
REARRANGED = {  # with sorts among the arguments, or in another order
    "const": "K", "re.none": "Empty", "re.all": "Full", "re.allchar": "AllChar", "seq.empty": "Empty",
    "set.empty": "FiniteSetEmpty", "fp.to_ubv": "fpToUBV", "fp.to_sbv": "fpToSBV", "ubv_to_int": "BV2Int",
    "sbv_to_int": "BV2Int", "at-most": "AtMost", "at-least": "AtLeast",
}  # fmt: skip
PYTHON_INDEXED = {  # indices first
    "extract": "Extract",
    "zero_extend": "ZeroExt",
    "sign_extend": "SignExt",
    "repeat": "RepeatBitVec",
}
PYTHON_INDEXED_LAST = {"re.loop": "Loop", "int_to_bv": "Int2BV", "rotate_left": "RotateLeft",
                 "rotate_right": "RotateRight"}  # fmt: skip
PYTHON_METHODS = {  # methods of the first argument
    "bvadd": "__add__", "bvsub": "__sub__", "bvmul": "__mul__", "bvand": "__and__", "bvor": "__or__",
    "bvxor": "__xor__", "bvsdiv": "__truediv__", "bvsmod": "__mod__", "bvshl": "__lshift__",
    "bvashr": "__rshift__", "bvslt": "__lt__", "bvsle": "__le__", "bvsgt": "__gt__", "bvsge": "__ge__",
    "bvneg": "__neg__", "bvnot": "__invert__", "+": "__add__", "*": "__mul__", "/": "__truediv__",
    "div": "__truediv__", "mod": "__mod__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__",
    "=": "__eq__", "distinct": "__ne__", "select": "__getitem__", "str.<": "__lt__", "str.<=": "__le__",
    "str.at": "at", "seq.nth": "__getitem__", "seq.at": "at", "ff.add": "__add__", "ff.mul": "__mul__",
    "ff.neg": "__neg__",
}  # fmt: skip


class InlineDefinition:
    """A definition that z3 does not know: it is expanded where it is used."""

    def __init__(self, variables: list[Any], body: Any) -> None:
        self.variables = variables
        self.body = body

    def get_id(self) -> int:
        return id(self)
