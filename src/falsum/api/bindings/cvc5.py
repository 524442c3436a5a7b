"""cvc5's library as a binding; run by `serve.py`, never by falsum itself. Releases from 1.0.7 on."""

from __future__ import annotations

import importlib
from itertools import pairwise
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

# Not `import cvc5`: this file has the same name.
cvc5: Any = importlib.import_module("cvc5")
Kind: Any = cvc5.Kind

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
}  # fmt: skip
CHAINED = ("str.<", "str.<=")
OTHERS = ("const", "to_fp", "re.none", "re.all", "re.allchar")
REGEXES = {"re.none": "mkRegexpNone", "re.all": "mkRegexpAll", "re.allchar": "mkRegexpAllchar"}
MODES = {
    "RNE": "ROUND_NEAREST_TIES_TO_EVEN", "RNA": "ROUND_NEAREST_TIES_TO_AWAY", "RTN": "ROUND_TOWARD_NEGATIVE",
    "RTP": "ROUND_TOWARD_POSITIVE", "RTZ": "ROUND_TOWARD_ZERO",
}  # fmt: skip
FLOATS = {"+oo": "PosInf", "-oo": "NegInf", "+zero": "PosZero", "-zero": "NegZero", "NaN": "NaN"}


def extra(name: str, takes: list[str], gives: str = "nothing", **more: Any) -> dict[str, Any]:
    return {"name": name, "takes": takes, "gives": gives, **more}


EXTRAS = [
    # Before 1.2 it uses what is asserted: equal only where that holds.
    extra("simplify", ["term"], "equal" if hasattr(cvc5, "TermManager") else "text", weight=4),
    extra("substitute", ["term", "input", "same"], "term", weight=2),
    extra("abduct", ["formula"], "abduct", states=["check_sat"], weight=0.2),
    extra("statistics", [], "nothing", states=["check_sat"], weight=0.5),
]


class Binding:
    """One `Solver` at a time; releases before 1.2 have no term manager, the solver makes terms there."""

    def __init__(self) -> None:
        self.number = 0
        self.kinds = {name: getattr(Kind, kind) for name, kind in OPERATORS.items() if hasattr(Kind, kind)}
        self.new()

    def hello(self) -> dict[str, Any]:
        return {
            "product": "cvc5",
            "version": getattr(cvc5, "__version__", ""),
            "sorts": [
                "Bool", "Int", "Real", "BitVec", "FloatingPoint", "RoundingMode", "String", "RegLan",
                "Array", "->",
            ],
            "operators": [*self.kinds, *OTHERS],
            "features": [
                "incremental", "assumptions", "models", "cores", "unsat-assumptions", "functions",
                "declared-sorts",
                "quantifiers", "logic", "reset-assertions", "assertions", "children", "sort-of", "print",
                "function-values", "nested-arrays", "datatypes", "updaters",
                *(["one-shot"] if hasattr(cvc5, "TermManager") else []),
            ],
            "specials": {"Bool": ["true", "false"], "FloatingPoint": list(FLOATS)},
            "float_formats": [[8, 24], [11, 53]],
            "constant_arguments": {"const": [0], "re.range": [0, 1]},
            "required": [
                ["incremental", "true"],
                ["arrays-exp", "true"],
                ["produce-models", "true"],
                ["produce-unsat-cores", "true"],
                ["produce-unsat-assumptions", "true"],
            ],
            # How deep and in which language terms are printed: we have to read them.
            "unwanted": ["expr-depth", "dag-thresh", "output", "output-lang", "output-language",
                         "print-success"],
            "refusals": [
                r"Cannot translate (?:bound variable )?to Int",
                r"Cannot get-value when --",
                r"not (?:yet )?supported",
                r"[Uu]nsupported",
                r"[Cc]annot (?:be used|handle)",
                r"is not enabled",
                r"[Ee]rror in option parsing",
                r"with shadowed variables",
                r"doesn't include",
                r"not defined in this logic",
                r"unimplemented",
            ],
            "extras": [each for each in EXTRAS if is_there(each["name"])],
        }  # fmt: skip

    def new(self) -> None:
        self.members: dict[str, tuple[Any, Any]] = {}
        self.definitions: list[tuple[Any, list[Any], Any]] = []
        if hasattr(cvc5, "TermManager"):
            self.manager = cvc5.TermManager()
            self.solver = cvc5.Solver(self.manager)
        else:
            self.manager = self.solver = cvc5.Solver()

    def delete(self) -> None:
        self.new()

    def set_logic(self, name: str) -> None:
        self.solver.setLogic(name)

    def set_option(self, name: str, value: str) -> None:
        self.solver.setOption(name, value)

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        manager = self.manager
        plain = {
            "Bool": "getBooleanSort", "Int": "getIntegerSort", "Real": "getRealSort", "String":
            "getStringSort",
            "RegLan": "getRegExpSort", "RoundingMode": "getRoundingModeSort", "BitVec": "mkBitVectorSort",
            "FloatingPoint": "mkFloatingPointSort",
        }  # fmt: skip
        if name in plain:
            return getattr(manager, plain[name])(*indices)
        made = [arg.made for arg in args]
        return manager.mkArraySort(*made) if name == "Array" else manager.mkFunctionSort(made[:-1], made[-1])

    def datatypes(self, declared: list[tuple[str, list[Any]]]) -> list[Any]:
        manager = self.manager
        names = [name for name, _ in declared]
        planned = []
        for name, constructors in declared:
            plan = manager.mkDatatypeDecl(name)
            for constructor, fields in constructors:
                made = manager.mkDatatypeConstructorDecl(constructor)
                for field, sort in fields:
                    if not isinstance(sort, int):
                        made.addSelector(field, sort.made)
                    elif names[sort] == name:
                        made.addSelectorSelf(field)
                    else:
                        made.addSelectorUnresolved(field, names[sort])
                plan.addConstructor(made)
            planned.append(plan)
        sorts = list(manager.mkDatatypeSorts(planned))
        for sort, (_, constructors) in zip(sorts, declared, strict=True):
            for place, (constructor, fields) in enumerate(constructors):
                there = sort.getDatatype()[place]
                self.members[f"make:{constructor}"] = (Kind.APPLY_CONSTRUCTOR, there.getTerm())
                self.members[f"is:{constructor}"] = (Kind.APPLY_TESTER, there.getTesterTerm())
                for at, (field, _) in enumerate(fields):
                    self.members[f"get:{field}"] = (Kind.APPLY_SELECTOR, there[at].getTerm())
                    self.members[f"set:{field}"] = (Kind.APPLY_UPDATER, there[at].getUpdaterTerm())
        return sorts

    def declare_sort(self, name: str) -> Any:
        return self.manager.mkUninterpretedSort(name)

    def const(self, sort: SortHandle, name: str) -> Any:
        return self.manager.mkConst(sort.made, name)

    def var(self, sort: SortHandle, name: str) -> Any:
        return self.manager.mkVar(sort.made, name)

    def value(self, sort: SortHandle, text: str) -> Any:
        manager = self.manager
        if sort.name == "Bool":
            return manager.mkBoolean(text == "true")
        if sort.name == "BitVec":
            bases = {"#b": 2, "#x": 16}
            if text[:2] in bases:
                return manager.mkBitVector(sort.indices[0], text[2:], bases[text[:2]])
            return manager.mkBitVector(sort.indices[0], text, 10)
        if sort.name == "Int":
            return manager.mkInteger(text)
        if sort.name == "Real":
            return manager.mkReal(text)
        if sort.name == "String":
            return manager.mkString(text[1:-1].replace('""', '"'), True)
        if sort.name == "RoundingMode":
            return manager.mkRoundingMode(getattr(cvc5.RoundingMode, MODES[text]))
        bits = "".join(word[2:] for word in text.strip("()").split()[1:])
        return manager.mkFloatingPoint(*sort.indices, manager.mkBitVector(len(bits), bits, 2))

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "Bool":
            return self.manager.mkTrue() if name == "true" else self.manager.mkFalse()
        return getattr(self.manager, f"mkFloatingPoint{FLOATS[name]}")(*sort.indices)

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        manager = self.manager
        if operator in self.members:
            kind, member = self.members[operator]
            return manager.mkTerm(kind, member, *args)
        if operator == "const" and sort is not None:
            return manager.mkConstArray(sort.made, args[0])
        if operator in REGEXES:
            return getattr(manager, REGEXES[operator])()
        if operator == "apply":
            return manager.mkTerm(Kind.APPLY_UF, *args)
        if operator in ("forall", "exists"):
            bound = manager.mkTerm(Kind.VARIABLE_LIST, *args[:-1])
            return manager.mkTerm(Kind.FORALL if operator == "forall" else Kind.EXISTS, bound, args[-1])
        if operator == "-" and len(args) == 1:
            return manager.mkTerm(Kind.NEG, *args)
        if operator in CHAINED and len(args) > 2:
            links = [manager.mkTerm(self.kinds[operator], a, b) for a, b in pairwise(args)]
            return manager.mkTerm(Kind.AND, *links)
        kind = conversion(args) if operator == "to_fp" else self.kinds[operator]
        if indices:
            return manager.mkTerm(manager.mkOp(kind, *indices), *args)
        return manager.mkTerm(kind, *args)

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        made = self.solver.defineFun(name, variables, body.getSort(), body, True)
        self.definitions.append((made, variables, body))
        return made

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.solver.assertFormula(term)

    def check(self, assumptions: list[Any]) -> str:
        result = self.solver.checkSatAssuming(*assumptions) if assumptions else self.solver.checkSat()
        return verdict(result)

    def get_value(self, term: Any) -> str:
        return str(self.solver.getValue(term))

    def get_model(self) -> str:
        return ""

    def get_core(self) -> list[Any]:
        """Without definitions, which it lists as equalities with a lambda."""
        return [each for each in self.solver.getUnsatCore() if not is_definition(each)]

    def get_unsat_assumptions(self) -> list[Any]:
        return list(self.solver.getUnsatAssumptions())

    def one_shot(self, terms: list[Any]) -> str:
        """Definitions belong to the solver they were made in: the fresh one is told what they say."""
        fresh = cvc5.Solver(self.manager)
        fresh.setOption("arrays-exp", "true")
        for function, variables, body in self.definitions:
            applied = self.manager.mkTerm(Kind.APPLY_UF, function, *variables)
            equal = self.manager.mkTerm(Kind.EQUAL, applied, body)
            bound = self.manager.mkTerm(Kind.VARIABLE_LIST, *variables)
            fresh.assertFormula(self.manager.mkTerm(Kind.FORALL, bound, equal))
        for term in terms:
            fresh.assertFormula(term)
        return verdict(fresh.checkSat())

    def push(self, levels: int) -> None:
        self.solver.push(levels)

    def pop(self, levels: int) -> None:
        self.solver.pop(levels)

    def reset(self) -> None:
        """Its library has none."""
        raise NotImplementedError

    def reset_assertions(self) -> None:
        self.solver.resetAssertions()

    def assertions(self) -> list[Any]:
        return list(self.solver.getAssertions())

    # -- asking about terms ------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return [term[place] for place in range(term.getNumChildren())]

    def sort_of(self, term: Any) -> str:
        return str(term.getSort())

    def print(self, term: Any) -> str:
        return str(term)

    def key(self, term: Any) -> object:
        return term.getId()

    def abduct(self, goal: Any) -> str:
        """By a solver of its own: the option it needs turns others away, and with it cvc5 takes another path.

        "" where there is none, or where definitions would have to be told.
        """
        if self.definitions:
            return ""
        fresh = cvc5.Solver(self.manager)
        fresh.setOption("produce-abducts", "true")
        fresh.setOption("arrays-exp", "true")
        for term in self.solver.getAssertions():
            fresh.assertFormula(term)
        found = fresh.getAbduct(goal)
        return "" if found.isNull() else str(found)

    def extra(self, name: str, args: list[Any]) -> Any:
        if name == "simplify":
            return self.solver.simplify(args[0])
        if name == "substitute":
            return args[0].substitute(args[1], args[2])
        if name == "abduct":
            return self.abduct(args[0])
        self.solver.getStatistics()
        return None


def is_there(name: str) -> bool:
    """Releases before 1.2 have no terms that two solvers could share."""
    return name != "abduct" or hasattr(cvc5, "TermManager")


def verdict(result: Any) -> str:
    return "sat" if result.isSat() else "unsat" if result.isUnsat() else "unknown"


def is_definition(term: Any) -> bool:
    return bool(term.getKind() == Kind.EQUAL and term[1].getKind() == Kind.LAMBDA)


def conversion(args: list[Any]) -> Any:
    """Which `to_fp` it is, by the last argument's sort."""
    if len(args) == 1:
        return Kind.FLOATINGPOINT_TO_FP_FROM_IEEE_BV
    sort = args[-1].getSort()
    if sort.isFloatingPoint():
        return Kind.FLOATINGPOINT_TO_FP_FROM_FP
    return Kind.FLOATINGPOINT_TO_FP_FROM_SBV if sort.isBitVector() else Kind.FLOATINGPOINT_TO_FP_FROM_REAL
