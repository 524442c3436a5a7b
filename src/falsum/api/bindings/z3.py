"""Z3's library as a binding; run by `serve.py`, never by falsum itself.

Terms are made by the functions of the C interface, as z3's own Python classes do; the classes are used for
solvers and models. What a release does not have is not among its operators.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import sys
import types
from itertools import pairwise
from pathlib import Path
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

try:
    importlib.import_module("pkg_resources")  # releases before 4.12 look for their library with it
except ImportError:
    stand_in = types.ModuleType("pkg_resources")
    stand_in.resource_filename = lambda package, name: str(  # type: ignore[attr-defined]
        Path(next(p for p in sys.path if Path(p, package).is_dir()), package, name)
    )
    sys.modules["pkg_resources"] = stand_in

# Not `import z3`: this file has the same name.
z3: Any = importlib.import_module("z3")
inner: Any = importlib.import_module("z3.z3")
core: Any = importlib.import_module("z3.z3core")

# In the child nothing of falsum is on the path.
place = importlib.util.spec_from_file_location("z3_operators", Path(__file__).with_name("z3_operators.py"))
tables: Any = importlib.util.module_from_spec(place)  # type: ignore[arg-type]
place.loader.exec_module(tables)  # type: ignore[union-attr]


class Binding:
    """One solver at a time in one context; a new context now and then."""

    def __init__(self) -> None:
        self.number = 0
        self.context = z3.Context()
        self.used = 0
        self.new()

    def hello(self) -> dict[str, Any]:
        names = ("PLAIN", "MANY", "FOLDED", "CHAINED", "INDEXED", "LAST_INDEXED", "OTHERS")
        operators = [op for each in names for op, name in getattr(tables, each).items() if there(name)]
        operators += [op for op, parts in tables.OVERFLOWS.items() if all(there(name) for name, _ in parts)]
        return {
            "product": "z3",
            "version": z3.get_version_string(),
            "sorts": [
                "Bool", "Int", "Real", "BitVec", "FloatingPoint", "RoundingMode", "Array", "->",
                # Before the standard had strings z3's had other escapes and other semantics.
                *(["String", "RegLan"] if there("string_to_code") else []),
            ],
            "operators": operators,
            "features": [
                "incremental", "assumptions", "models", "cores", "unsat-assumptions", "functions",
                "declared-sorts", "quantifiers", "logic", "reset", "reset-assertions", "assertions",
                "children", "sort-of",
                "print", "one-shot", "datatypes", "updaters",
                "function-values", "nested-arrays", "array-indices",
            ],
            "specials": tables.SPECIALS,
            "constant_arguments": {"re.range": [0, 1]},
            "refusals": [r"unsupported", r"not supported", r"unknown parameter", r"[Ii]nvalid parameter",
                         r"logic .* is not", r"canceled", r"illegal \S+ (?:\S+ )?numeral",
                         r"illegal arithmetic solver used with"],
            "extras": tables.EXTRAS,
        }  # fmt: skip

    def new(self) -> None:
        self.used += 1
        if self.used % 50 == 0 or self.number % 10 == 1:
            self.context = z3.Context()
        self.tracks = self.number % 2 == 1
        self.ref = self.context.ref()
        self.logic = ""
        self.made: Any = None
        self.tracked: dict[int, Any] = {}
        self.assumed: list[Any] = []
        self.members: dict[str, Any] = {}
        self.untouched = True
        if self.options_set:
            z3.reset_params()
        self.options_set = False

    options_set = False

    def delete(self) -> None:
        self.made = None
        self.tracked = {}

    @property
    def solver(self) -> Any:
        if self.made is None:
            if self.logic:
                self.made = z3.SolverFor(self.logic, ctx=self.context)
            else:
                self.made = z3.Solver(ctx=self.context)
        return self.made

    def set_logic(self, name: str) -> None:
        self.logic = name

    def set_option(self, name: str, value: str) -> None:
        """Taken when a context is made; terms of an old one are of no use in a new one."""
        self.options_set = True
        z3.set_param(name, {"true": True, "false": False}.get(value, value))
        if self.untouched:
            self.context = z3.Context()
            self.ref = self.context.ref()

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        self.untouched = False
        simple = {
            "Bool": z3.BoolSort, "Int": z3.IntSort, "Real": z3.RealSort, "String": z3.StringSort,
            "BitVec": z3.BitVecSort, "FloatingPoint": z3.FPSort, "RoundingMode": rounding_sort,
        }  # fmt: skip
        if name in simple:
            return simple[name](*indices, ctx=self.context)
        if name == "Array":
            return z3.ArraySort(*(arg.made for arg in args))
        return [arg.made for arg in args]

    def datatypes(self, declared: list[tuple[str, list[Any]]]) -> list[Any]:
        self.untouched = False
        planned = [z3.Datatype(name, ctx=self.context) for name, _ in declared]
        for plan, (_, constructors) in zip(planned, declared, strict=True):
            for name, fields in constructors:
                sorts = [(f, planned[s] if isinstance(s, int) else s.made) for f, s in fields]
                plan.declare(name, *sorts)
        made = z3.CreateDatatypes(*planned)
        for sort, (_, constructors) in zip(made, declared, strict=True):
            for place, (name, fields) in enumerate(constructors):
                self.members[f"make:{name}"] = sort.constructor(place)
                self.members[f"is:{name}"] = sort.recognizer(place)
                for at, (field, _) in enumerate(fields):
                    self.members[f"get:{field}"] = sort.accessor(place, at)
        return list(made)

    def member(self, word: str, args: list[Any]) -> Any:
        """A term of a datatype's own functions."""
        if not word.startswith("set:"):
            return self.members[word](*args)
        accessor = self.members["get:" + word[4:]]
        return self.call_of("datatype_update_field", accessor.ast, *args)

    def declare_sort(self, name: str) -> Any:
        self.untouched = False
        return z3.DeclareSort(name, ctx=self.context)

    def const(self, sort: SortHandle, name: str) -> Any:
        return z3.Function(name, *sort.made) if sort.name == "->" else z3.Const(name, sort.made)

    def var(self, sort: SortHandle, name: str) -> Any:
        return z3.Const(name, sort.made)

    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "Bool":
            return z3.BoolVal(text == "true", ctx=self.context)
        if sort.name == "BitVec":
            bases = {"#b": 2, "#x": 16}
            number = int(text[2:], bases[text[:2]]) if text[:2] in bases else int(text)
            if text.startswith("#b") and self.number % 2:
                return self.wrap(core.Z3_mk_bv_numeral(self.ref, len(text) - 2, bool_array(text[2:])))
            return self.wrap(core.Z3_mk_numeral(self.ref, str(number), sort.made.ast))
        if sort.name in ("Int", "Real"):
            return self.wrap(core.Z3_mk_numeral(self.ref, text, sort.made.ast))
        if sort.name == "String":
            return self.wrap(core.Z3_mk_string(self.ref, text[1:-1].replace('""', '"')))
        if sort.name == "RoundingMode":
            return getattr(z3, text)(ctx=self.context)
        parts = [word[2:] for word in text.strip("()").split()[1:]]
        bits = [z3.BitVecVal(int(part, 2), len(part), ctx=self.context) for part in parts]
        return self.wrap(core.Z3_mk_fpa_fp(self.ref, *(bit.as_ast() for bit in bits)))

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "Bool":
            return self.call(name)
        if sort.name == "BitVec":
            top = 1 << (sort.indices[0] - 1)
            numbers = {"zero": 0, "one": 1, "ones": -1, "min_signed": -top, "max_signed": top - 1}
            return z3.BitVecVal(numbers[name], sort.indices[0], ctx=self.context)
        if name == "NaN":
            return self.wrap(core.Z3_mk_fpa_nan(self.ref, sort.made.ast))
        maker = core.Z3_mk_fpa_inf if name.endswith("oo") else core.Z3_mk_fpa_zero
        return self.wrap(maker(self.ref, sort.made.ast, name[0] == "-"))

    # -- terms -------------------------------------------------------------------------------------

    def wrap(self, ast: Any) -> Any:
        return inner._to_expr_ref(ast, self.context)  # noqa: SLF001 - as z3's own modules do

    def call(self, name: str, *args: Any) -> Any:
        """A function of the C interface that makes something, on terms and numbers."""
        return self.call_of(f"mk_{name}", *args)

    def call_of(self, name: str, *args: Any) -> Any:
        given = [arg.as_ast() if hasattr(arg, "as_ast") else arg for arg in args]
        return self.wrap(getattr(core, f"Z3_{name}")(self.ref, *given))

    def array_call(self, name: str, args: list[Any]) -> Any:
        array, count = inner._to_ast_array(args)  # noqa: SLF001 - as above
        return self.wrap(getattr(core, f"Z3_mk_{name}")(self.ref, count, array))

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        if operator in self.members or operator.startswith("set:"):
            return self.member(operator, args)
        if operator in tables.PLAIN:
            return self.call(tables.PLAIN[operator], *args)
        if operator in tables.MANY:
            return self.array_call(tables.MANY[operator], args)
        if operator in tables.FOLDED:
            return self.folded(tables.FOLDED[operator], args)
        if operator in tables.CHAINED:
            links = [self.call(tables.CHAINED[operator], a, b) for a, b in pairwise(args)]
            return links[0] if len(links) == 1 else self.array_call("and", links)
        if operator in tables.INDEXED:
            return self.call(tables.INDEXED[operator], *indices, *args)
        if operator in tables.LAST_INDEXED:
            return self.call(tables.LAST_INDEXED[operator], *args, *indices)
        if operator in tables.OVERFLOWS:
            safe = [self.call(name, *args, *more) for name, more in tables.OVERFLOWS[operator]]
            return self.call("not", safe[0] if len(safe) == 1 else self.array_call("and", safe))
        return self.other(operator, indices, args, sort)

    def folded(self, name: str, args: list[Any]) -> Any:
        result = args[0]
        for arg in args[1:]:
            result = self.call(name, result, arg)
        return result

    def other(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        if operator == "apply":
            return self.applied(args[0], args[1:])
        if operator in ("forall", "exists"):
            maker = z3.ForAll if operator == "forall" else z3.Exists
            return maker(args[:-1], args[-1])
        if operator == "=>":
            result = args[-1]
            for arg in reversed(args[:-1]):
                result = self.call("implies", arg, result)
            return result
        if operator == "-":
            return self.call("unary_minus", *args) if len(args) == 1 else self.array_call("sub", args)
        if operator == "const" and sort is not None:
            return self.wrap(core.Z3_mk_const_array(self.ref, sort.args[0].made.ast, args[0].as_ast()))
        if operator in ("ubv_to_int", "sbv_to_int"):
            return self.call("bv2int", *args, operator == "sbv_to_int")
        if operator in tables.REGEXES:
            regex = z3.ReSort(z3.StringSort(ctx=self.context))
            return self.wrap(getattr(core, f"Z3_mk_{tables.OTHERS[operator]}")(self.ref, regex.ast))
        if operator == "bvcomp":
            one, zero = (z3.BitVecVal(n, 1, ctx=self.context) for n in (1, 0))
            return self.call("ite", self.call("eq", *args), one, zero)
        return self.to_float(operator, indices, args)

    def to_float(self, operator: str, indices: tuple[int, ...], args: list[Any]) -> Any:
        sort = z3.FPSort(*indices, ctx=self.context)
        if len(args) == 1:
            name = "fpa_to_fp_bv"
        elif operator == "to_fp_unsigned":
            name = "fpa_to_fp_unsigned"
        elif isinstance(args[1], z3.FPRef):
            name = "fpa_to_fp_float"
        else:
            name = "fpa_to_fp_real" if isinstance(args[1], z3.ArithRef) else "fpa_to_fp_signed"
        given = [arg.as_ast() for arg in args]
        return self.wrap(getattr(core, f"Z3_mk_{name}")(self.ref, *given, sort.ast))

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """A recursive definition that does not recur, or its unfolding by hand: two ways users have."""
        if self.number % 2 and hasattr(z3, "RecFunction"):
            made = z3.RecFunction(name, *(v.sort() for v in variables), body.sort())
            z3.RecAddDefinition(made, variables, body)
            return made
        return tables.Unfolded(variables, body)

    def applied(self, function: Any, args: list[Any]) -> Any:
        if isinstance(function, tables.Unfolded):
            return z3.substitute(function.body, *zip(function.variables, args, strict=True))
        return function(*args)

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        if self.tracks:
            self.track(self.solver, term, self.tracked)
        else:
            self.solver.add(term)

    def track(self, solver: Any, term: Any, tracked: dict[int, Any]) -> None:
        name = z3.FreshConst(z3.BoolSort(ctx=self.context), "falsum")
        tracked[name.get_id()] = (name, term)
        solver.assert_and_track(term, name)

    def check(self, assumptions: list[Any]) -> str:
        self.assumed = assumptions
        return str(self.solver.check(*assumptions))

    def get_value(self, term: Any) -> str:
        model = self.solver.model()
        if isinstance(term, z3.FuncDeclRef):
            return interpretation(model, term)
        return str(model.eval(term, model_completion=True).sexpr())

    def get_model(self) -> str:
        return str(self.solver.model().sexpr())

    def get_core(self) -> list[Any]:
        """The tracked ones; without tracking z3 has no core to give, so a fresh solver tracks them."""
        solver, tracked = self.solver, self.tracked
        if not self.tracks:
            solver, tracked = z3.Solver(ctx=self.context), {}
            for term in self.assertions():
                self.track(solver, term, tracked)
            if str(solver.check(*self.assumed)) != "unsat":
                return self.assertions()
        return [tracked[each.get_id()][1] for each in solver.unsat_core() if each.get_id() in tracked]

    def get_unsat_assumptions(self) -> list[Any]:
        return [each for each in self.solver.unsat_core() if each.get_id() not in self.tracked]

    def one_shot(self, terms: list[Any]) -> str:
        fresh = z3.Solver(ctx=self.context)
        fresh.add(*terms)
        return str(fresh.check())

    def push(self, levels: int) -> None:
        for _ in range(levels):
            self.solver.push()

    def pop(self, levels: int) -> None:
        self.solver.pop(levels)

    def reset(self) -> None:
        self.made = None
        self.logic = ""

    def reset_assertions(self) -> None:
        self.solver.reset()

    def assertions(self) -> list[Any]:
        return list(self.solver.assertions())

    # -- asking about terms ------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return list(term.children()) if isinstance(term, z3.ExprRef) else []

    def sort_of(self, term: Any) -> str:
        if isinstance(term, z3.ExprRef):
            return str(term.sort().sexpr())
        if isinstance(term, tables.Unfolded):
            parts = [*(v.sort() for v in term.variables), term.body.sort()]
        else:
            parts = [*(term.domain(place) for place in range(term.arity())), term.range()]
        return f"(-> {' '.join(part.sexpr() for part in parts)})"

    def print(self, term: Any) -> str:
        return str(term.body.sexpr() if isinstance(term, tables.Unfolded) else term.sexpr())

    def key(self, term: Any) -> object:
        return term.get_id()

    def extra(self, name: str, args: list[Any]) -> Any:
        if name == "simplify":
            return z3.simplify(args[0])
        if name == "substitute":
            return z3.substitute(args[0], (args[1], args[2]))
        if name == "translate":
            other = z3.Context()
            return args[0].translate(other).sexpr()
        if name == "maximum":
            return self.maximum(args[0])
        if name == "eliminate":
            return z3.Tactic("qe", ctx=self.context)(args[0]).as_expr()
        if name == "consequences":
            return str(self.solver.consequences([], [args[0]])[0])
        if name == "to-smt2":
            return self.solver.to_smt2()
        if name == "reason-unknown":
            return self.solver.reason_unknown()
        self.solver.statistics()
        return None

    def maximum(self, term: Any) -> str:
        """The largest value of a term; "" if there is none or z3 does not find it."""
        optimize = z3.Optimize(ctx=self.context)
        optimize.set(timeout=1000)
        optimize.add(*self.assertions())
        goal = optimize.maximize(term)
        if str(optimize.check()) != "sat":
            return ""
        value = optimize.upper(goal)
        if not (z3.is_int_value(value) or z3.is_rational_value(value) or z3.is_bv_value(value)):
            return ""  # unbounded, or approached only
        if z3.is_bv(term) and not z3.is_bv_value(value):
            value = z3.BitVecVal(value.as_long(), term.size(), ctx=self.context)
        return str(value.sexpr())


def there(name: str) -> bool:
    return hasattr(core, f"Z3_mk_{name}")


def rounding_sort(ctx: Any) -> Any:
    return z3.RNE(ctx=ctx).sort()


def bool_array(bits: str) -> Any:
    """Least significant first, as Z3_mk_bv_numeral wants them."""
    return (ctypes.c_bool * len(bits))(*(bit == "1" for bit in reversed(bits)))


def interpretation(model: Any, function: Any) -> str:
    """A function's table as a lambda.

    For a function the model leaves open `get_interp` gives None or, in z3 5.4, a table that is no table (any
    call raises "ast is null"): asking for one value with completion makes the model say something.
    """
    inputs = [z3.FreshConst(function.domain(place), "falsum") for place in range(function.arity())]
    model.eval(function(*inputs), model_completion=True)
    table = model.get_interp(function)
    if table is None or not isinstance(table, z3.FuncInterp):
        return "" if table is None else str(table.sexpr())
    names = [f"x!{place}" for place in range(function.arity())]
    try:
        body = str(table.else_value().sexpr())
    except (z3.Z3Exception, AttributeError):  # a table without a default: z3 raises, or gives None
        body = ""
    for place in reversed(range(table.num_entries())):
        entry = table.entry(place)
        tests = " ".join(f"(= {name} {entry.arg_value(i).sexpr()})" for i, name in enumerate(names))
        body = f"(ite (and {tests} true) {entry.value().sexpr()} {body or entry.value().sexpr()})"
    binders = " ".join(f"({name} {function.domain(i).sexpr()})" for i, name in enumerate(names))
    return f"(lambda ({binders}) {body})" if body else ""
