"""Which kinds of Bitwuzla make which operators."""

from __future__ import annotations

OPERATORS: dict[str, str] = {
    "not": "NOT", "=>": "IMPLIES", "and": "AND", "or": "OR", "xor": "XOR", "=": "EQUAL",
    "distinct": "DISTINCT", "ite": "ITE", "select": "ARRAY_SELECT", "store": "ARRAY_STORE",
    "concat": "BV_CONCAT", "extract": "BV_EXTRACT", "repeat": "BV_REPEAT", "zero_extend": "BV_ZERO_EXTEND",
    "sign_extend": "BV_SIGN_EXTEND", "rotate_left": "BV_ROLI", "rotate_right": "BV_RORI",
    "ext_rotate_left": "BV_ROL", "ext_rotate_right": "BV_ROR", "bvnot": "BV_NOT", "bvneg": "BV_NEG",
    "bvcomp": "BV_COMP", "bvnego": "BV_NEG_OVERFLOW", "bvand": "BV_AND", "bvor": "BV_OR", "bvadd": "BV_ADD",
    "bvmul": "BV_MUL", "bvxor": "BV_XOR", "bvnand": "BV_NAND", "bvnor": "BV_NOR", "bvxnor": "BV_XNOR",
    "bvsub": "BV_SUB", "bvudiv": "BV_UDIV", "bvurem": "BV_UREM", "bvsdiv": "BV_SDIV", "bvsrem": "BV_SREM",
    "bvsmod": "BV_SMOD", "bvshl": "BV_SHL", "bvlshr": "BV_SHR", "bvashr": "BV_ASHR", "bvult": "BV_ULT",
    "bvule": "BV_ULE", "bvugt": "BV_UGT", "bvuge": "BV_UGE", "bvslt": "BV_SLT", "bvsle": "BV_SLE",
    "bvsgt": "BV_SGT", "bvsge": "BV_SGE", "bvuaddo": "BV_UADD_OVERFLOW", "bvsaddo": "BV_SADD_OVERFLOW",
    "bvumulo": "BV_UMUL_OVERFLOW", "bvsmulo": "BV_SMUL_OVERFLOW", "bvusubo": "BV_USUB_OVERFLOW",
    "bvssubo": "BV_SSUB_OVERFLOW", "bvsdivo": "BV_SDIV_OVERFLOW", "bvredor": "BV_REDOR", "bvredand":
    "BV_REDAND",
    "fp": "FP_FP", "fp.abs": "FP_ABS", "fp.neg": "FP_NEG", "fp.sqrt": "FP_SQRT",
    "fp.roundToIntegral": "FP_RTI", "fp.rem": "FP_REM", "fp.min": "FP_MIN", "fp.max": "FP_MAX",
    "fp.fma": "FP_FMA", "fp.add": "FP_ADD", "fp.sub": "FP_SUB", "fp.mul": "FP_MUL", "fp.div": "FP_DIV",
    "fp.leq": "FP_LEQ", "fp.lt": "FP_LT", "fp.geq": "FP_GEQ", "fp.gt": "FP_GT", "fp.eq": "FP_EQUAL",
    "fp.isNormal": "FP_IS_NORMAL", "fp.isSubnormal": "FP_IS_SUBNORMAL", "fp.isZero": "FP_IS_ZERO",
    "fp.isInfinite": "FP_IS_INF", "fp.isNaN": "FP_IS_NAN", "fp.isNegative": "FP_IS_NEG",
    "fp.isPositive": "FP_IS_POS", "to_fp_unsigned": "FP_TO_FP_FROM_UBV", "fp.to_ubv": "FP_TO_UBV",
    "fp.to_sbv": "FP_TO_SBV",
}  # fmt: skip
