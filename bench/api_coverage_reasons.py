"""What `bench.api_coverage` leaves out of a library's operators and methods, and why: a reason a row."""

from __future__ import annotations

import re
from typing import Final

Rows = tuple[tuple[str, str], ...]

# Operators that do not count for the goal. cvc5's own documentation says which of its kinds are experimental
# and which cannot be made by users: those come from the library, see `api_coverage_child.py`.
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
    ),
    "z3": (
        (r"user_prop|[Pp]ropagat|on_clause|add_(created|decide|diseq|eq|final|fixed|on_binding)|\Afresh\Z",
         "propagators call back into Python while solving"),
        (r"fixedpoint|rule|query|relation|\Afact\Z|cover|get_ground|register|answer", "Datalog"),
        (r"tactic|Tactic|probe|Probe|Then|OrElse|ParOr|Repeat|TryFor|\AWhen\Z|\ACond\Z|With|FailIf|goal",
         "tactics, probes and goals are for strategies of one's own"),
        (r"simplifier|\Asimplify_param|help_simplify|\ACheck\Z", "simplifiers: as tactics"),
        (r"html|\App_|print|format|indent|infix|precedence|fpa_pretty|set_pp|\Aobj_to|paren", "printing"),
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
    """Why something is left out; "" if nobody says."""
    return next((why for pattern, why in rows if re.search(pattern, name)), "")
