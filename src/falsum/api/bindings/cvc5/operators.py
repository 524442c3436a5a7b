"""Which kinds and methods of cvc5 make which sorts and operators."""

from __future__ import annotations

OPERATORS: dict[str, str] = {
    "not": "NOT", "=>": "IMPLIES", "and": "AND", "or": "OR", "xor": "XOR", "=": "EQUAL", "distinct":
    "DISTINCT",
    "ite": "ITE", "select": "SELECT", "store": "STORE",
    "concat": "BITVECTOR_CONCAT", "extract": "BITVECTOR_EXTRACT", "repeat": "BITVECTOR_REPEAT",
    "zero_extend": "BITVECTOR_ZERO_EXTEND", "sign_extend": "BITVECTOR_SIGN_EXTEND",
    "rotate_left": "BITVECTOR_ROTATE_LEFT", "rotate_right": "BITVECTOR_ROTATE_RIGHT", "bvnot":
    "BITVECTOR_NOT",
    "bvneg": "BITVECTOR_NEG", "bvcomp": "BITVECTOR_COMP", "bvnego": "BITVECTOR_NEGO", "bvand":
    "BITVECTOR_AND",
    "bvor": "BITVECTOR_OR", "bvadd": "BITVECTOR_ADD", "bvmul": "BITVECTOR_MULT", "bvxor": "BITVECTOR_XOR",
    "bvnand": "BITVECTOR_NAND", "bvnor": "BITVECTOR_NOR", "bvxnor": "BITVECTOR_XNOR", "bvsub":
    "BITVECTOR_SUB",
    "bvudiv": "BITVECTOR_UDIV", "bvurem": "BITVECTOR_UREM", "bvsdiv": "BITVECTOR_SDIV",
    "bvsrem": "BITVECTOR_SREM", "bvsmod": "BITVECTOR_SMOD", "bvshl": "BITVECTOR_SHL", "bvlshr":
    "BITVECTOR_LSHR",
    "bvashr": "BITVECTOR_ASHR", "bvult": "BITVECTOR_ULT", "bvule": "BITVECTOR_ULE", "bvugt": "BITVECTOR_UGT",
    "bvuge": "BITVECTOR_UGE", "bvslt": "BITVECTOR_SLT", "bvsle": "BITVECTOR_SLE", "bvsgt": "BITVECTOR_SGT",
    "bvsge": "BITVECTOR_SGE", "bvuaddo": "BITVECTOR_UADDO", "bvsaddo": "BITVECTOR_SADDO",
    "bvumulo": "BITVECTOR_UMULO", "bvsmulo": "BITVECTOR_SMULO", "bvusubo": "BITVECTOR_USUBO",
    "bvssubo": "BITVECTOR_SSUBO", "bvsdivo": "BITVECTOR_SDIVO", "bvredor": "BITVECTOR_REDOR",
    "bvredand": "BITVECTOR_REDAND", "bvite": "BITVECTOR_ITE", "ubv_to_int": "BITVECTOR_UBV_TO_INT",
    "sbv_to_int": "BITVECTOR_SBV_TO_INT", "int_to_bv": "INT_TO_BITVECTOR",
    "fp": "FLOATINGPOINT_FP", "fp.abs": "FLOATINGPOINT_ABS", "fp.neg": "FLOATINGPOINT_NEG",
    "fp.sqrt": "FLOATINGPOINT_SQRT", "fp.roundToIntegral": "FLOATINGPOINT_RTI", "fp.rem": "FLOATINGPOINT_REM",
    "fp.min": "FLOATINGPOINT_MIN", "fp.max": "FLOATINGPOINT_MAX", "fp.fma": "FLOATINGPOINT_FMA",
    "fp.add": "FLOATINGPOINT_ADD", "fp.sub": "FLOATINGPOINT_SUB", "fp.mul": "FLOATINGPOINT_MULT",
    "fp.div": "FLOATINGPOINT_DIV", "fp.leq": "FLOATINGPOINT_LEQ", "fp.lt": "FLOATINGPOINT_LT",
    "fp.geq": "FLOATINGPOINT_GEQ", "fp.gt": "FLOATINGPOINT_GT", "fp.eq": "FLOATINGPOINT_EQ",
    "fp.isNormal": "FLOATINGPOINT_IS_NORMAL", "fp.isSubnormal": "FLOATINGPOINT_IS_SUBNORMAL",
    "fp.isZero": "FLOATINGPOINT_IS_ZERO", "fp.isInfinite": "FLOATINGPOINT_IS_INF",
    "fp.isNaN": "FLOATINGPOINT_IS_NAN", "fp.isNegative": "FLOATINGPOINT_IS_NEG",
    "fp.isPositive": "FLOATINGPOINT_IS_POS", "to_fp_unsigned": "FLOATINGPOINT_TO_FP_FROM_UBV",
    "fp.to_ubv": "FLOATINGPOINT_TO_UBV", "fp.to_sbv": "FLOATINGPOINT_TO_SBV",
    "fp.to_real": "FLOATINGPOINT_TO_REAL",
    "+": "ADD", "*": "MULT", "-": "SUB", "/": "DIVISION", "div": "INTS_DIVISION", "mod": "INTS_MODULUS",
    "abs": "ABS", "<=": "LEQ", "<": "LT", ">=": "GEQ", ">": "GT", "divisible": "DIVISIBLE", "to_real":
    "TO_REAL",
    "to_int": "TO_INTEGER", "is_int": "IS_INTEGER",
    "str.++": "STRING_CONCAT", "str.len": "STRING_LENGTH", "str.<": "STRING_LT", "str.<=": "STRING_LEQ",
    "str.at": "STRING_CHARAT", "str.substr": "STRING_SUBSTR", "str.prefixof": "STRING_PREFIX",
    "str.suffixof": "STRING_SUFFIX", "str.contains": "STRING_CONTAINS", "str.indexof": "STRING_INDEXOF",
    "str.replace": "STRING_REPLACE", "str.replace_all": "STRING_REPLACE_ALL",
    "str.replace_re": "STRING_REPLACE_RE", "str.replace_re_all": "STRING_REPLACE_RE_ALL",
    "str.is_digit": "STRING_IS_DIGIT", "str.to_code": "STRING_TO_CODE", "str.from_code": "STRING_FROM_CODE",
    "str.to_int": "STRING_TO_INT", "str.from_int": "STRING_FROM_INT", "str.to_re": "STRING_TO_REGEXP",
    "str.in_re": "STRING_IN_REGEXP", "str.rev": "STRING_REV", "str.update": "STRING_UPDATE",
    "str.to_lower": "STRING_TO_LOWER", "str.to_upper": "STRING_TO_UPPER", "str.indexof_re":
    "STRING_INDEXOF_RE",
    "re.++": "REGEXP_CONCAT", "re.union": "REGEXP_UNION", "re.inter": "REGEXP_INTER", "re.diff":
    "REGEXP_DIFF",
    "re.*": "REGEXP_STAR", "re.+": "REGEXP_PLUS", "re.opt": "REGEXP_OPT", "re.comp": "REGEXP_COMPLEMENT",
    "re.range": "REGEXP_RANGE", "re.^": "REGEXP_REPEAT", "re.loop": "REGEXP_LOOP",
    "bvultbv": "BITVECTOR_ULTBV", "bvsltbv": "BITVECTOR_SLTBV", "bv2nat": "BITVECTOR_TO_NAT",
    "^": "POW", "int.pow2": "POW2", "int.log2": "LOG2", "iand": "IAND", "piand": "PIAND",
    "div_total": "INTS_DIVISION_TOTAL", "mod_total": "INTS_MODULUS_TOTAL", "/_total": "DIVISION_TOTAL",
    "exp": "EXPONENTIAL", "sin": "SINE", "cos": "COSINE", "tan": "TANGENT", "csc": "COSECANT",
    "sec": "SECANT", "cot": "COTANGENT", "arcsin": "ARCSINE", "arccos": "ARCCOSINE", "arctan": "ARCTANGENT",
    "arccsc": "ARCCOSECANT", "arcsec": "ARCSECANT", "arccot": "ARCCOTANGENT", "sqrt": "SQRT",
    "seq.++": "SEQ_CONCAT", "seq.len": "SEQ_LENGTH", "seq.extract": "SEQ_EXTRACT", "seq.update": "SEQ_UPDATE",
    "seq.at": "SEQ_AT", "seq.contains": "SEQ_CONTAINS", "seq.indexof": "SEQ_INDEXOF",
    "seq.replace": "SEQ_REPLACE", "seq.replace_all": "SEQ_REPLACE_ALL", "seq.rev": "SEQ_REV",
    "seq.prefixof": "SEQ_PREFIX", "seq.suffixof": "SEQ_SUFFIX", "seq.unit": "SEQ_UNIT", "seq.nth": "SEQ_NTH",
    "set.union": "SET_UNION", "set.inter": "SET_INTER", "set.minus": "SET_MINUS", "set.subset": "SET_SUBSET",
    "set.member": "SET_MEMBER", "set.singleton": "SET_SINGLETON", "set.card": "SET_CARD",
    "set.complement": "SET_COMPLEMENT", "set.choose": "SET_CHOOSE", "set.is_empty": "SET_IS_EMPTY",
    "set.is_singleton": "SET_IS_SINGLETON", "set.map": "SET_MAP", "set.filter": "SET_FILTER",
    "set.all": "SET_ALL", "set.some": "SET_SOME", "set.fold": "SET_FOLD", "set.insert": "SET_INSERT",
    "bag": "BAG_MAKE", "bag.union_max": "BAG_UNION_MAX", "bag.union_disjoint": "BAG_UNION_DISJOINT",
    "bag.inter_min": "BAG_INTER_MIN", "bag.difference_subtract": "BAG_DIFFERENCE_SUBTRACT",
    "bag.difference_remove": "BAG_DIFFERENCE_REMOVE", "bag.subbag": "BAG_SUBBAG", "bag.count": "BAG_COUNT",
    "bag.member": "BAG_MEMBER", "bag.setof": "BAG_SETOF", "bag.card": "BAG_CARD", "bag.choose": "BAG_CHOOSE",
    "bag.map": "BAG_MAP", "bag.filter": "BAG_FILTER", "bag.all": "BAG_ALL", "bag.some": "BAG_SOME",
    "bag.fold": "BAG_FOLD", "bag.partition": "BAG_PARTITION",
    "tuple.project": "TUPLE_PROJECT", "rel.join": "RELATION_JOIN", "rel.product": "RELATION_PRODUCT",
    "rel.table_join": "RELATION_TABLE_JOIN", "rel.transpose": "RELATION_TRANSPOSE",
    "rel.tclosure": "RELATION_TCLOSURE", "rel.iden": "RELATION_IDEN", "rel.join_image": "RELATION_JOIN_IMAGE",
    "rel.group": "RELATION_GROUP", "rel.project": "RELATION_PROJECT", "table.product": "TABLE_PRODUCT",
    "table.join": "TABLE_JOIN", "table.group": "TABLE_GROUP", "table.project": "TABLE_PROJECT",
}  # fmt: skip
CHAINED = ("str.<", "str.<=")
# Further operators, and the methods of the manager that make them.
OTHERS = {
    "const": "mkConstArray", "to_fp": "mkTerm", "re.none": "mkRegexpNone", "re.all": "mkRegexpAll",
    "re.allchar": "mkRegexpAllchar", "real.pi": "mkPi", "seq.empty": "mkEmptySequence",
    "set.empty": "mkEmptySet", "set.universe": "mkUniverseSet", "bag.empty": "mkEmptyBag", "tuple": "mkTuple",
    "tuple.select": "mkTuple", "tuple.update": "mkTuple", "nullable.null": "mkNullableNull",
    "nullable.some": "mkNullableSome", "nullable.val": "mkNullableVal",
    "nullable.is_null": "mkNullableIsNull",
    "nullable.is_some": "mkNullableIsSome",
}  # fmt: skip
NULLARY = ("re.none", "re.all", "re.allchar", "real.pi")
OF_ELEMENT = ("seq.empty",)  # made from the sort of the elements
NULLABLE = ("nullable.some", "nullable.val", "nullable.is_null", "nullable.is_some")
# Sorts, and the methods of the manager that make them of numbers or sorts.
SORTS = {
    "Bool": "getBooleanSort", "Int": "getIntegerSort", "Real": "getRealSort", "String": "getStringSort",
    "RegLan": "getRegExpSort", "RoundingMode": "getRoundingModeSort", "BitVec": "mkBitVectorSort",
    "FloatingPoint": "mkFloatingPointSort", "Array": "mkArraySort", "Seq": "mkSequenceSort",
    "Set": "mkSetSort", "Bag": "mkBagSort", "Tuple": "mkTupleSort", "Nullable": "mkNullableSort",
    "->": "mkFunctionSort",
}  # fmt: skip
MODES = {
    "RNE": "ROUND_NEAREST_TIES_TO_EVEN", "RNA": "ROUND_NEAREST_TIES_TO_AWAY", "RTN": "ROUND_TOWARD_NEGATIVE",
    "RTP": "ROUND_TOWARD_POSITIVE", "RTZ": "ROUND_TOWARD_ZERO",
}  # fmt: skip
FLOATS = {"+oo": "PosInf", "-oo": "NegInf", "+zero": "PosZero", "-zero": "NegZero", "NaN": "NaN"}
# Methods of terms that make some of them, and with how many arguments.
SHORT = {
    "not": ("notTerm", 1), "and": ("andTerm", 2), "or": ("orTerm", 2), "xor": ("xorTerm", 2),
    "=": ("eqTerm", 2), "=>": ("impTerm", 2), "ite": ("iteTerm", 3),
}  # fmt: skip
