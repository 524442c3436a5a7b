"""Bitwuzla's library as a binding; run by `serve.py`, never by falsum itself."""

from __future__ import annotations

import importlib
from typing import Any

import bitwuzla
from bitwuzla import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

extras: Any = importlib.import_module("beside.bitwuzla_extras")

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
# Special cases of the method `term`.
OTHERS = ("const", "to_fp", "apply", "forall", "exists")
BOUND = {"forall": Kind.FORALL, "exists": Kind.EXISTS}
SPECIALS = {
    "BitVec": ["zero", "one", "ones", "min_signed", "max_signed"],
    "FloatingPoint": ["+oo", "-oo", "+zero", "-zero", "NaN"],
    "Bool": ["true", "false"],
}
MODES = ("RNE", "RNA", "RTN", "RTP", "RTZ")


class Binding:
    """One `Bitwuzla` at a time, with a term manager of its own.

    Options are taken when the solver is made, so it is made at the first call that needs it.
    """

    def __init__(self) -> None:
        self.number = 0
        self.extras = extras.Extras(self)
        self.kinds = {name: getattr(Kind, kind) for name, kind in OPERATORS.items() if hasattr(Kind, kind)}
        self.new()

    def hello(self) -> dict[str, Any]:
        return {
            "product": "bitwuzla",
            "version": str(bitwuzla.version()),
            "sorts": ["Bool", "BitVec", "FloatingPoint", "RoundingMode", "Array", "->"],
            "operators": [*self.kinds, *OTHERS],
            "features": [
                "incremental", "assumptions", "models", "cores", "unsat-assumptions", "functions",
                "quantifiers", "declared-sorts",
                "reset", "reset-assertions", "assertions", "children", "sort-of", "print", "function-values",
                "one-shot",
            ],
            "specials": SPECIALS,
            "float_formats": [[5, 11], [8, 24]],
            "constant_arguments": {},
            "required": [
                ["produce-models", "true"],
                ["produce-unsat-cores", "true"],
                ["produce-unsat-assumptions", "true"],
                *([["produce-interpolants", "true"]] if extras.INTERPOLATES else []),
            ],
            # The last one: it prints what it cannot read.
            "refusals": [r"not (?:yet )?supported", r"[Uu]nsupported", r"not compiled with",
                         r"undefined symbol 'lambda'"],
            "remarks": [r"warning: [^\n]*not (?:fully |yet )*supported[^\n]*"],
            "extras": extras.declared(),
        }  # fmt: skip

    def new(self) -> None:
        self.manager = bitwuzla.TermManager()
        self.options = bitwuzla.Options()
        self.made: Any = None

    def delete(self) -> None:
        self.new()

    @property
    def solver(self) -> Any:
        if self.made is None:
            self.made = bitwuzla.Bitwuzla(self.manager, self.options)
        return self.made

    def set_logic(self, name: str) -> None:
        """It has no logics."""

    def set_option(self, name: str, value: str) -> None:
        if self.number % 2:
            self.options.set_args(f"--{name}={value}")
        else:
            option = self.options.option(name)
            self.options.set(option, convert(self.options, option, value))

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        manager = self.manager
        if name == "Bool":
            return manager.mk_bool_sort()
        if name == "BitVec":
            return manager.mk_bv_sort(indices[0])
        if name == "FloatingPoint":
            return manager.mk_fp_sort(*indices)
        if name == "RoundingMode":
            return manager.mk_rm_sort()
        made = [arg.made for arg in args]
        return manager.mk_array_sort(*made) if name == "Array" else manager.mk_fun_sort(made[:-1], made[-1])

    def declare_sort(self, name: str) -> Any:
        return self.manager.mk_uninterpreted_sort(name)

    def const(self, sort: SortHandle, name: str) -> Any:
        return self.manager.mk_const(sort.made, name)

    def var(self, sort: SortHandle, name: str) -> Any:
        return self.manager.mk_var(sort.made, name)

    def value(self, sort: SortHandle, text: str) -> Any:
        manager = self.manager
        if sort.name == "Bool":
            return manager.mk_true() if text == "true" else manager.mk_false()
        if sort.name == "RoundingMode":
            return manager.mk_rm_value(getattr(bitwuzla.RoundingMode, text))
        if sort.name == "FloatingPoint":
            parts = [word[2:] for word in text.strip("()").split()[1:]]
            return manager.mk_fp_value(
                *(manager.mk_bv_value(manager.mk_bv_sort(len(p)), p, 2) for p in parts)
            )
        if text.startswith("#b"):
            return manager.mk_bv_value(sort.made, text[2:], 2)
        if text.startswith("#x"):
            return manager.mk_bv_value(sort.made, text[2:], 16)
        if self.number % 2:
            return manager.mk_bv_value(sort.made, int(text))
        return manager.mk_bv_value(sort.made, text, 10)

    def special(self, sort: SortHandle, name: str) -> Any:
        manager = self.manager
        if sort.name == "Bool":
            return manager.mk_true() if name == "true" else manager.mk_false()
        if sort.name == "BitVec":
            return getattr(manager, f"mk_bv_{name}")(sort.made)
        names = {"+oo": "pos_inf", "-oo": "neg_inf", "+zero": "pos_zero", "-zero": "neg_zero", "NaN": "nan"}
        return getattr(manager, f"mk_fp_{names[name]}")(sort.made)

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        manager = self.manager
        if operator == "const" and sort is not None:
            return manager.mk_const_array(sort.made, args[0])
        if operator == "apply":
            return manager.mk_term(Kind.APPLY, args)
        if operator in BOUND:
            return manager.mk_term(BOUND[operator], args)
        if operator == "to_fp":
            return manager.mk_term(conversion(args), args, list(indices))
        if operator == "=" and self.number % 4 == 1 and args[0].sort().is_bool():
            return manager.mk_term(Kind.IFF, args)
        if self.number % 6 == 1 and operator in ("bvneg", "bvnot", "bvxor"):
            return self.otherwise(operator, args)
        if indices:
            return manager.mk_term(self.kinds[operator], args, list(indices))
        return manager.mk_term(self.kinds[operator], args)

    def otherwise(self, operator: str, args: list[Any]) -> Any:
        """The same by kinds that have no name in SMT-LIB."""
        make = self.manager.mk_term
        if operator == "bvneg":
            return make(Kind.BV_INC, [make(Kind.BV_NOT, args)])
        if operator == "bvnot":
            return make(Kind.BV_DEC, [make(Kind.BV_NEG, args)])
        if args[0].sort().bv_size() == 1:
            return make(Kind.BV_REDXOR, [make(Kind.BV_CONCAT, args)])
        return make(Kind.BV_XOR, args)

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        del name
        return self.manager.mk_term(Kind.LAMBDA, [*variables, body]) if variables else body

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.solver.assert_formula(term)

    def check(self, assumptions: list[Any]) -> str:
        return str(self.solver.check_sat(*assumptions).name).lower()

    def get_value(self, term: Any) -> str:
        return str(self.solver.get_value(term))

    def get_model(self) -> str:
        return ""

    def get_core(self) -> list[Any]:
        return list(self.solver.get_unsat_core())

    def get_unsat_assumptions(self) -> list[Any]:
        return list(self.solver.get_unsat_assumptions())

    def one_shot(self, terms: list[Any]) -> str:
        fresh = bitwuzla.Bitwuzla(self.manager, bitwuzla.Options())
        for term in terms:
            fresh.assert_formula(term)
        return str(fresh.check_sat().name).lower()

    def push(self, levels: int) -> None:
        self.solver.push(levels)

    def pop(self, levels: int) -> None:
        self.solver.pop(levels)

    def reset(self) -> None:
        """A new solver on the same terms, its options at their defaults."""
        self.options = bitwuzla.Options()
        self.made = None

    def reset_assertions(self) -> None:
        """As its own reader does it: a new solver with the same options."""
        self.made = None

    def assertions(self) -> list[Any]:
        return list(self.solver.get_assertions())

    # -- asking about terms ------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return list(term.children())

    def sort_of(self, term: Any) -> str:
        return written(term.sort())

    def print(self, term: Any) -> str:
        return str(term)

    def key(self, term: Any) -> object:
        return term.id()

    def extra(self, name: str, args: list[Any]) -> Any:
        return self.extras.run(name, args)


def conversion(args: list[Any]) -> Any:
    """Which `to_fp` it is, by the last argument's sort."""
    if len(args) == 1:
        return Kind.FP_TO_FP_FROM_BV
    return Kind.FP_TO_FP_FROM_FP if args[-1].sort().is_fp() else Kind.FP_TO_FP_FROM_SBV


def convert(options: Any, option: Any, value: str) -> Any:
    if options.is_bool(option):
        return value == "true"
    return int(value) if options.is_numeric(option) else value


def written(sort: Any) -> str:
    if sort.is_fun():
        parts = [*map(written, sort.fun_domain()), written(sort.fun_codomain())]
        return f"(-> {' '.join(parts)})"
    return str(sort)
