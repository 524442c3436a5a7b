"""The binding of Bitwuzla's library."""

from __future__ import annotations

from typing import Any

import bitwuzla
from bitwuzla import Kind

from .extras import HAS_INTERPOLANTS, BitwuzlaExtras, supported_extras
from .floats import as_ratio
from .operators import OPERATORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

# Operators with a branch of their own in `term`.
OTHER_OPERATORS = ("const", "to_fp", "apply", "forall", "exists")
# Those with equivalents of kinds that SMT-LIB has no operators for.
INTERNAL = frozenset(["bvneg", "bvnot", "bvadd", "bvsub", "bvxor"])
QUANTIFIERS = {"forall": Kind.FORALL, "exists": Kind.EXISTS}
SPECIAL_VALUES = {
    "BitVec": ["zero", "one", "ones", "min_signed", "max_signed"],
    "FloatingPoint": ["+oo", "-oo", "+zero", "-zero", "NaN"],
    "Bool": ["true", "false"],
}


class BitwuzlaBinding:
    """One `Bitwuzla` at a time, with its own term manager.

    Options take effect when the solver is made, so it is made by the first call that needs it.
    """

    def __init__(self) -> None:
        self.variant = 0
        self.extras = BitwuzlaExtras(self)
        self.kinds = {name: getattr(Kind, kind) for name, kind in OPERATORS.items() if hasattr(Kind, kind)}
        self.new()

    def capabilities(self) -> dict[str, Any]:
        return {
            "product": "bitwuzla",
            "version": str(bitwuzla.version()),
            "sorts": ["Bool", "BitVec", "FloatingPoint", "RoundingMode", "Array", "->"],
            "operators": [*self.kinds, *OTHER_OPERATORS],
            "features": [
                "incremental", "assumptions", "models", "cores", "unsat-assumptions", "functions",
                "quantifiers", "declared-sorts",
                "reset", "reset-assertions", "assertions", "children", "sort-of", "print", "function-values",
                "one-shot", *(["interpolants"] if HAS_INTERPOLANTS else []),
            ],
            "special_values": SPECIAL_VALUES,
            "float_formats": [] if has_odd_floats() else [[5, 11], [8, 24], [11, 53], [15, 113]],
            "constant_arguments": {},
            # Cores, assumptions and interpolants switch off parts of preprocessing.
            "feature_options": [
                {"feature": "models", "option": "produce-models", "share": 0.85},
                {"feature": "cores", "option": "produce-unsat-cores", "share": 0.5},
                {"feature": "unsat-assumptions", "option": "produce-unsat-assumptions", "share": 0.5},
                {"feature": "interpolants", "option": "produce-interpolants", "share": 0.35},
            ],
            "late_option_errors": True,
            # The last one: it cannot parse the lambda it prints.
            "refusals": [r"not (?:yet )?supported", r"[Uu]nsupported", r"not compiled with",
                         r"undefined symbol 'lambda'"],
            "refusal_warnings": [r"warning: [^\n]*not (?:fully |yet )*supported[^\n]*"],
            "extras": supported_extras(),
        }  # fmt: skip

    def new(self) -> None:
        self.manager = bitwuzla.TermManager()
        self.options = bitwuzla.Options()
        self.current_solver: Any = None
        self.constants: list[Any] = []

    def delete(self) -> None:
        self.new()

    @property
    def solver(self) -> Any:
        if self.current_solver is None:
            self.current_solver = bitwuzla.Bitwuzla(self.manager, self.options)
        return self.current_solver

    def set_logic(self, name: str) -> None:
        """Bitwuzla has no logics."""

    def set_option(self, name: str, value: str) -> None:
        if self.variant % 2:
            self.options.set_args(f"--{name}={value}")
        else:
            option = self.options.option(name)
            self.options.set(option, option_value(self.options, option, value))

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
        natives = [arg.native for arg in args]
        return (
            manager.mk_array_sort(*natives)
            if name == "Array"
            else manager.mk_fun_sort(natives[:-1], natives[-1])
        )

    def declare_sort(self, name: str) -> Any:
        return self.manager.mk_uninterpreted_sort(name)

    def const(self, sort: SortHandle, name: str) -> Any:
        self.constants.append(self.manager.mk_const(sort.native, name))
        return self.constants[-1]

    def var(self, sort: SortHandle, name: str) -> Any:
        return self.manager.mk_var(sort.native, name)

    def value(self, sort: SortHandle, text: str) -> Any:
        manager = self.manager
        if sort.name == "Bool":
            return manager.mk_true() if text == "true" else manager.mk_false()
        if sort.name == "RoundingMode":
            return manager.mk_rm_value(getattr(bitwuzla.RoundingMode, text))
        if sort.name == "FloatingPoint":
            parts = [word[2:] for word in text.strip("()").split()[1:]]
            ratio = as_ratio(parts) if self.variant % 3 == 1 else None
            if ratio is not None:
                mode = manager.mk_rm_value(bitwuzla.RoundingMode.RNE)
                return manager.mk_fp_value(sort.native, mode, *map(str, ratio))
            return manager.mk_fp_value(
                *(manager.mk_bv_value(manager.mk_bv_sort(len(p)), p, 2) for p in parts)
            )
        if text.startswith("#b"):
            return manager.mk_bv_value(sort.native, text[2:], 2)
        if text.startswith("#x"):
            return manager.mk_bv_value(sort.native, text[2:], 16)
        if self.variant % 2:
            return manager.mk_bv_value(sort.native, int(text))
        return manager.mk_bv_value(sort.native, text, 10)

    def special(self, sort: SortHandle, name: str) -> Any:
        manager = self.manager
        if sort.name == "Bool":
            return manager.mk_true() if name == "true" else manager.mk_false()
        if sort.name == "BitVec":
            return getattr(manager, f"mk_bv_{name}")(sort.native)
        names = {"+oo": "pos_inf", "-oo": "neg_inf", "+zero": "pos_zero", "-zero": "neg_zero", "NaN": "nan"}
        return getattr(manager, f"mk_fp_{names[name]}")(sort.native)

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        manager = self.manager
        if operator == "const" and sort is not None:
            return manager.mk_const_array(sort.native, args[0])
        if operator == "apply":
            return manager.mk_term(Kind.APPLY, args)
        if operator in QUANTIFIERS:
            return manager.mk_term(QUANTIFIERS[operator], args)
        if operator == "to_fp":
            return manager.mk_term(conversion(args), args, list(indices))
        if operator == "=" and self.variant % 4 == 1 and args[0].sort().is_bool():
            return manager.mk_term(Kind.IFF, args)
        if self.variant % 6 == 1 and operator in INTERNAL and len(args) < 3:
            return self.by_internal_kinds(operator, args)
        if indices:
            return manager.mk_term(self.kinds[operator], args, list(indices))
        return manager.mk_term(self.kinds[operator], args)

    def by_internal_kinds(self, operator: str, args: list[Any]) -> Any:
        """Make an equivalent term by kinds that SMT-LIB has no operator for."""
        make = self.manager.mk_term
        if operator == "bvneg":
            return make(Kind.BV_INC, [make(Kind.BV_NOT, args)])
        if operator == "bvnot":
            return make(Kind.BV_DEC, [make(Kind.BV_NEG, args)])
        if operator == "bvadd":
            return make(Kind.BV_DEC, [make(Kind.BV_ADD, [make(Kind.BV_INC, args[:1]), args[1]])])
        if operator == "bvsub":
            return make(Kind.BV_INC, [make(Kind.BV_ADD, [args[0], make(Kind.BV_NOT, args[1:])])])
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
        """The values of all constants; the library has no call for the whole model."""
        rows = []
        for constant in self.constants:
            name, value = constant.symbol(), self.solver.get_value(constant)
            rows.append(f"(define-fun {name} () {sort_text(constant.sort())} {value})")
        return "\n".join(rows)

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
        """A new solver with the same terms and default options."""
        self.options = bitwuzla.Options()
        self.current_solver = None

    def reset_assertions(self) -> None:
        """As Bitwuzla's parser does it: a new solver with the same options."""
        self.current_solver = None

    def assertions(self) -> list[Any]:
        return list(self.solver.get_assertions())

    # -- queries of terms --------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return list(term.children())

    def sort_of(self, term: Any) -> str:
        return sort_text(term.sort())

    def print(self, term: Any) -> str:
        return str(term)

    def key(self, term: Any) -> object:
        return term.id()

    def extra(self, name: str, args: list[Any]) -> Any:
        return self.extras.run(name, args)


def conversion(args: list[Any]) -> Any:
    """The kind of a `to_fp`, by the sort of its last argument."""
    if len(args) == 1:
        return Kind.FP_TO_FP_FROM_BV
    return Kind.FP_TO_FP_FROM_FP if args[-1].sort().is_fp() else Kind.FP_TO_FP_FROM_SBV


def has_odd_floats() -> bool:
    """Whether the library was built with floating-point formats other than the standard ones."""
    try:
        bitwuzla.TermManager().mk_fp_sort(3, 5)
    except bitwuzla.BitwuzlaException:
        return False
    return True


def option_value(options: Any, option: Any, value: str) -> Any:
    """The text of a value in the type the option has."""
    if options.is_bool(option):
        return value == "true"
    return int(value) if options.is_numeric(option) else value


def sort_text(sort: Any) -> str:
    """A sort in SMT-LIB."""
    if sort.is_fun():
        parts = [*map(sort_text, sort.fun_domain()), sort_text(sort.fun_codomain())]
        return f"(-> {' '.join(parts)})"
    return str(sort)


Binding = BitwuzlaBinding
