"""Operators and methods of libraries that `bench.library.coverage` leaves out, with reasons."""

from __future__ import annotations

import re
from typing import Final

Rows = tuple[tuple[str, str], ...]

# Operators that do not count for the goal. cvc5's own documentation says which of its kinds are experimental
# and which cannot be made by users: those come from the library, see `coverage_child.py`.
OPERATORS: Final[dict[str, Rows]] = {
    "z3": (
        (r"Z3_OP_PR_", "steps of proofs: nobody makes them; `extra proof` reads them"),
        (r"Z3_OP_RA_|Z3_OP_FD_", "relations and finite domains of its Datalog engine"),
        (r"Z3_OP_SPECIAL_", "special relations: z3's own, in no theory of SMT-LIB"),
        (r"Z3_OP_PB_", "pseudo-Boolean constraints: z3's own"),
        (r"Z3_OP_(CHAR_|RE_OF_PRED|RE_DERIVATIVE)", "characters as a sort: z3's own"),
        (r"Z3_OP_FINITE_SET_|Z3_OP_FF_|Z3_OP_(COMPLEX|REAL_PART|IMAG_PART)",
         "finite sets, finite fields, complex numbers: z3's own"),
        (r"Z3_OP_SEQ_(MAPI|FOLDL|FOLDLI|POWER)\Z", "loops over sequences: z3's own"),
        (r"Z3_OP_(LABEL|OEQ)", "of Simplify's language and of proofs"),
        (r"Z3_OP_(INTERNAL|RECURSIVE)\Z", "no operator: the kind of what has none, of defined functions"),
        (r"Z3_OP_IFF\Z", "never made since = of Booleans has the kind EQ"),
        (r"Z3_OP_DT_RECOGNISER\Z", "never made since testers have the kind DT_IS"),
        (r"Z3_OP_AGNUM\Z", "irrational numbers in models: no text of SMT-LIB makes one"),
        (r"Z3_OP_B[SU](DIV|REM|MOD)0\Z", "division by zero as it was before the standard said what it is"),
        (r"Z3_OP_(CARRY|XOR3)\Z", "inner forms of bit-blasting that no call makes"),
        (r"Z3_OP_FPA_(BVWRAP|BV2RM)", "inner forms of the translation of floats"),
    ),
    "cvc5": (
        (r"FINITE_FIELD", "the wheel is built without CoCoA: solving is refused"),
        (r"\A(UNDEFINED_KIND|LAST_KIND)\Z", "no kind, but the ends of the list"),
    ),
    "bitwuzla": ((r"\AIFF\Z", "mk_term makes EQUAL of it"),),
}  # fmt: skip

# Methods and functions that are not reached.
METHODS: Final[dict[str, Rows]] = {
    "bitwuzla": (
        (r"\A(copyright|git_id|version|lng|shrt|id|str)\Z", "names and numbers of versions and things"),
        (r"terminator|auto_print", "call back into Python while solving, or print"),
        (r"\A(parse_sort|parse_term|term_mgr|is_null|is_valid|num_indices)\Z", "parts of other calls"),
        (r"\A(get|is_mode|is_bool|is_numeric|modes|option)\Z", "reading options that were set"),
    ),
    "cvc5": (
        (r"[Ss]ygus|[Ss]ynth|[Gg]rammar|addAny|addRule", "synthesis: another job than solving"),
        (r"Plugin|\Acheck\Z|notify", "plugins call back into Python while solving"),
        (r"[Ss]ep[A-Z]|Heap", "separation logic: experimental, and needs a heap of its own"),
        (r"[Pp]ool", "pools: experimental hints for instantiation"),
        (r"[Ss]kolem|Abstract", "of terms and sorts that only the library makes"),
        (r"FiniteField", "the wheel is built without CoCoA"),
        (r"Cardinality", "cardinality constraints: experimental"),
        (r"Record|UninterpretedSortConstructor|mkUnresolved|ParamSort", "other ways to make the same sorts"),
        (r"Option|Info|Logic|Version|Statistic|TermManager", "reading back what was set, and counters"),
        (r"\A(declareFun|declareSort|declareDatatype|defineFunsRec)\Z", "other ways to make the same things"),
        (r"Input|Command|Symbol|getNamed|getDeclared|done|invoke", "the reader of scripts, see `read-back`"),
        (r"AlgebraicNumber|RealOrInteger|Uninterpreted", "of values a model has, which are read as text"),
        (r"\A(isNull|isDefault|isInternal|get|toPythonObj|getId|getUnknownExplanation)\Z", "small questions"),
        (r"Datatype(Constructor|Selector|Tester|Updater)", "of sorts of functions of datatypes"),
        (r"\A(getConstructor|getSelector|getParameters|getCodomainSort|mkDatatypeSort|mkPredicateSort)\Z",
         "datatypes and functions by name: made and asked by place"),
        (r"\A(hasSolution|hasNoSolution|nextTerm|getSolver|toString)\Z", "of synthesis and of the reader"),
        (r"\A(getRegExpSort|getTupleValue|mkNullableLift)\Z", "short ways to what is made by mkTerm"),
    ),
    "z3": (
        ((r"user_prop|[Pp]ropagat|on_clause|add_(created|decide|diseq|eq|final|fixed|on_binding)|\Afresh\Z"
         r"|\A(conflict|next_split|ensure_prop_closures|set_on_model)\Z"),
         "propagators and others that call back into Python while solving"),
        ((r"fixedpoint|rule|query|relation|\Afact\Z|cover|get_ground|register|answer"
         r"|\A(abstract|declare_var|get_num_levels|set_predicate_representation|get_assertions)\Z"),
         "Datalog"),
        ((r"tactic|Tactic|probe|Probe|Then|OrElse|ParOr|Repeat|TryFor|\AWhen\Z|\ACond\Z|With|FailIf|goal"
         r"|\A(apply|solver|using_params|depth|prec|inconsistent|convert_model|SimpleSolver)\Z"),
         "tactics, probes and goals are for strategies of one's own"),
        (r"simplifier|\Asimplify_param|help_simplify|\ACheck\Z", "simplifiers: as tactics"),
        ((r"html|\App_|print|format|indent|infix|precedence|fpa_pretty|set_pp|\Aobj_to|paren|\Ause_pp\Z"
         r"|\A(prove|solve|solve_using)\Z"), "printing, and calls that print what they find"),
        ((r"\A(append|insert|assert_exprs|set_option|evaluate|Update|In|IsMember|Q|fpNEQ|fpToFP|fpToFPUnsigned"
         r"|FPVal|FiniteFieldElem|Fresh\w+|to_string|num_no_patterns|Model|Strings?)\Z"),
         "another way to say what is called"),
        (r"\A(EnumSort|TupleSort|DisjointSum|SetSort|EmptySet|FullSet|SetAdd|SetDel)\Z",
         "short ways to datatypes and arrays, which are made by hand"),
        (r"\A(AsArray|Map|Lambda|get_as_array_func|get_map_func|domain_n|substitute_funs|update)\Z",
         "functions as arrays, and arrays of many indices: z3's own"),
        (r"\A(Sqrt|Cbrt|approx|poly|index|precision)\Z", "roots, and irrational numbers of models"),
        (r"FiniteSet(Filter|Map|Range)|Seq(FoldLeft|FoldLeftI|MapI|Power)\Z", "loops over sets, sequences"),
        (r"\A(Var|RealVar|RealVarVector|get_var_index|MultiPattern)\Z", "variables by number"),
        ((r"\A(args2params|as_func_decl|as_list|cast|ctx|ctx_ref|declare_core|create|create_polymorphic|get_ctx"
         r"|main_ctx|mk_not|z3_error_handler|basis|element_sort|get|resize|to_Ast\w*|to_ContextObj|to_symbol"
         r"|erase|default|update_field)\Z"), "parts of other calls"),
        (r"\A(add_decl|add_sort|from_file|parse_\w+|serialize|deserialize)\Z", "readers; see `read-back`"),
        ((r"\A(congruence_\w+|solve_for|cube_vars|trail_levels|set_initial_value|import_model_converter|project\w*"
         r"|update_value|solutions|validate|lower_values|upper_values)\Z"),
         "hints, and looks into the search"),
        (r"\A(help|param_descrs|get_documentation|get_kind|get_name|get_param)\Z", "words about parameters"),
        (r"\A(Float64|Float128|FloatDouble|FloatQuadruple)\Z", "formats larger than runs draw"),
        (r"\A(sign|exponent|significand)(_as_bv|_as_long)?\Z", "of numerals, as models have them"),
        (r"\A(cube|arg_value|entry|decls|sorts|num_sorts|get_sort|get_universe|pattern|no_pattern)\Z",
         "of models, patterns and cubes: reached, but rarely"),
        (r"default_(fp_sort|rounding_mode)|\Apy_value\Z", "defaults and values of Python's side"),
        (r"[Ff]inite[Dd]omain|finite_domain", "finite domains of Datalog"),
        (r"\A(Bools|Ints|Reals|BitVecs|FPs|Strings|Consts|Complexes|FiniteFieldElems|[A-Z][a-z]*Vector)\Z",
         "many constants at once"),
        (r"[Cc]omplex|(Real|Imag)Part|(real|imag)_part", "complex numbers: z3's own"),
        (r"[Cc]har|\Ato_(bv|int)\Z|is_digit", "characters: z3's own"),
        (r"Order|TransitiveClosure|Pb(Eq|Ge|Le)|At(Least|Most)", "relations, pseudo-Boolean: z3's own"),
        (r"\Ais_|\Ais[A-Z]|\Ahas_", "questions about what a term is"),
        (r"global|trace|log\Z|memory|version|set_threaded|interrupt|debug", "the process as a whole"),
    ),
}  # fmt: skip


def reason(name: str, rows: Rows) -> str:
    """The reason for leaving something out; "" if there is none."""
    return next((why for pattern, why in rows if re.search(pattern, name)), "")
