"""Datatypes and terms of z3's binding; loaded by `z3.py` in the child.

Terms are made by the functions and operators of the Python module, by the functions of the C interface, as
those do, or by reading their text where there is nothing else. The line's number chooses: without one, as in
traces made small, it is what users write.
"""

from __future__ import annotations

import importlib
import inspect
from functools import partial
from itertools import pairwise
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

z3: Any = importlib.import_module("z3")
inner: Any = importlib.import_module("z3.z3")
core: Any = importlib.import_module("z3.z3core")


tables: Any = importlib.import_module("beside.z3_operators")
inputs: Any = importlib.import_module("beside.z3_inputs")

# Functions of the module that have to be told the context; others find it in their arguments.
CONTEXTUAL = frozenset(
    name
    for each in (tables.PYTHON, tables.BINARY, tables.NUMBERED, tables.NUMBERED_LAST, tables.SHAPED)
    for name in each.values()
    if hasattr(z3, name) and "ctx" in inspect.signature(getattr(z3, name)).parameters
)
IS_POLYMORPHIC = hasattr(z3, "CreatePolymorphicDatatype")


class Terms(inputs.Inputs):  # type: ignore[misc]
    """The part of the binding that makes terms, in its context."""

    members: dict[str, Any]
    # Whether the context keeps something by name that the next run must not meet.
    is_defining: bool
    logic: str
    read_too: frozenset[str] = frozenset()

    def works(self, maker: Any) -> bool:
        """Whether this release can do something: older ones have functions they refuse to carry out."""
        try:
            maker()
        except z3.Z3Exception:
            return False
        return True

    def explore(self) -> list[str]:
        """The operators this release has after all; finds out which it also reads."""
        names = ("PLAIN", "MANY", "FOLDED", "CHAINED", "INDEXED", "LAST_INDEXED", "OTHERS")
        operators = [op for each in names for op, name in getattr(tables, each).items() if there(name)]
        operators += [op for op, parts in tables.OVERFLOWS.items() if all(there(name) for name, _ in parts)]
        operators += [op for op, name in tables.TEXT.items() if op not in operators and there(name or "and")]
        one = z3.IntVal(1, ctx=self.context)
        if "divisible" in operators and not self.works(lambda: self.other("divisible", (2,), [one], None)):
            operators.remove("divisible")
        if "^" in operators and not self.call("power", one, one).is_int():
            operators.remove("^")  # of integers it is real in older ones
        bits = z3.BitVecVal(1, 4, ctx=self.context)
        self.read_too = frozenset(
            name
            for name, count in tables.TEXT_TOO.items()
            if self.works(partial(self.by_text, name, [bits] * count))
        )
        return operators

    # -- datatypes ---------------------------------------------------------------------------------

    def datatypes(self, declared: list[tuple[str, list[Any]]]) -> list[Any]:
        self.untouched = False
        self.is_defining = True
        planned = [z3.Datatype(name, ctx=self.context) for name, _ in declared]
        for plan, (_, constructors) in zip(planned, declared, strict=True):
            for name, fields in constructors:
                sorts = [(f, planned[s] if isinstance(s, int) else s.made) for f, s in fields]
                plan.declare(name, *sorts)
        made = z3.CreateDatatypes(*planned)
        for sort in made:
            self.remember(sort, "")
        return list(made)

    def template(self, name: str, parameters: int, constructors: list[Any]) -> Any:
        """Its name is what is left of it: sorts are made by name."""
        self.untouched = False
        self.is_defining = True
        params = [z3.DeclareTypeVar(f"X{place}", ctx=self.context) for place in range(parameters)]
        plan = z3.Datatype(name, ctx=self.context)
        for constructor, fields in constructors:
            sorts = [(f, self.field(s, plan, params)) for f, s in fields]
            plan.declare(constructor, *sorts)
        z3.CreatePolymorphicDatatype(plan, params)
        return name

    def field(self, sort: Any, plan: Any, params: list[Any]) -> Any:
        if isinstance(sort, str):
            return params[int(sort[1:])]
        return plan if isinstance(sort, int) else sort.made

    def instantiate(self, template: Any, args: list[SortHandle], mark: str) -> Any:
        sort = z3.DatatypeSort(template, [arg.made for arg in args], ctx=self.context)
        self.remember(sort, mark)
        return sort

    def remember(self, sort: Any, mark: str) -> None:
        """The functions of a datatype, by the words of lines; of an instance they end in its mark."""
        for place in range(sort.num_constructors()):
            constructor = sort.constructor(place)
            name = constructor.name()
            self.members[f"make:{name}{mark}"] = constructor
            self.members[f"is:{name}{mark}"] = sort.recognizer(place)
            for at in range(constructor.arity()):
                accessor = sort.accessor(place, at)
                self.members[f"get:{accessor.name()}{mark}"] = accessor

    def member(self, word: str, args: list[Any]) -> Any:
        """A term of a datatype's own functions."""
        if not word.startswith("set:"):
            return self.members[word](*args)
        accessor = self.members["get:" + word[4:]]
        return self.call_of("datatype_update_field", accessor.ast, *args)

    # -- terms -------------------------------------------------------------------------------------

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
        made = self.by_module(operator, indices, args, sort) if self.number % 3 != 1 else None
        if made is not None:
            return made
        if operator in tables.TEXT or (operator in self.read_too and self.number % 5 == 3):
            return self.by_text(operator, args)
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
            safe = [self.overflow(name, args, more) for name, more in tables.OVERFLOWS[operator]]
            return self.call("not", safe[0] if len(safe) == 1 else self.array_call("and", safe))
        return self.other(operator, indices, args, sort)

    def overflow(self, name: str, args: list[Any], more: tuple[bool, ...]) -> Any:
        if self.number % 3 != 1:
            return getattr(z3, tables.SAFE[name])(*args, *more)
        return self.call(name, *args, *more)

    def by_module(
        self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None
    ) -> Any:
        """By what z3's Python module has for it; None if that is nothing."""
        if operator in tables.SHAPED:
            return self.shaped(tables.SHAPED[operator], operator, indices, args, sort)
        if indices:
            if operator in tables.NUMBERED:
                return self.function(tables.NUMBERED[operator], *indices, *args)
            name = tables.NUMBERED_LAST.get(operator)
            return self.function(name, *args, *indices) if name else None
        if len(args) > 2 and operator in tables.CHAINED:
            links = [self.by_module(operator, (), [*pair], sort) for pair in pairwise(args)]
            return None if any(link is None for link in links) else self.function("And", *links)
        name = tables.PYTHON.get(operator) or (tables.BINARY.get(operator) if len(args) == 2 else None)
        name = name if name and hasattr(z3, name) else None
        method = tables.INFIX.get(operator)
        if method and len(args) < 3 and hasattr(args[0], method) and (self.number % 2 or not name):
            return getattr(args[0], method)(*args[1:])
        return self.function(name, *args) if name else None

    def shaped(
        self, name: str, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None
    ) -> Any:
        """Those that want sorts, or things in another order."""
        if not hasattr(z3, name):
            return None
        named = {"ctx": self.context} if name in CONTEXTUAL else {}
        maker = partial(getattr(z3, name), **named)
        if operator in tables.REGEXES:
            return maker(z3.ReSort(z3.StringSort(ctx=self.context)))
        if operator in ("seq.empty", "set.empty"):
            return maker(sort.made) if sort is not None else None
        if operator == "const":
            return maker(sort.args[0].made, *args) if sort is not None else None
        if operator in ("fp.to_ubv", "fp.to_sbv"):
            return maker(*args, z3.BitVecSort(*indices, ctx=self.context))
        if operator in ("ubv_to_int", "sbv_to_int"):
            return maker(*args, operator == "sbv_to_int")
        return maker(*args, *indices)

    def function(self, name: str, *args: Any) -> Any:
        if name in ("And", "Or"):  # up to 4.8.7 they take the main context where none is the last argument
            args = (*args, self.context)
        named = {"ctx": self.context} if name in CONTEXTUAL else {}
        return getattr(z3, name)(*args, **named)

    def by_text(self, operator: str, args: list[Any]) -> Any:
        """The operator as z3 reads it, then applied."""
        names = [f"a{place}" for place in range(len(args))]
        declared = "".join(
            f"(declare-const {n} {a.sort().sexpr()})" for n, a in zip(names, args, strict=True)
        )
        term = f"({operator} {' '.join(names)})" if names else operator
        read = z3.parse_smt2_string(f"{declared}(assert (= {term} {term}))", ctx=self.context)
        return read[0].arg(0).decl()(*args)

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
            trigger = pattern_in(args[-1], args[:-1]) if self.number % 3 == 1 else None
            if trigger is None:
                return maker(args[:-1], args[-1], qid="q" if self.number % 5 == 1 else "")
            word = "patterns" if self.number % 2 else "no_patterns"
            return maker(args[:-1], args[-1], weight=1 + self.number % 3, **{word: [trigger]})
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
        if operator in ("seq.empty", "set.empty") and sort is not None:
            return self.wrap(getattr(core, f"Z3_mk_{tables.OTHERS[operator]}")(self.ref, sort.made.ast))
        if operator == "seq.indexof":
            return self.call(
                "seq_index", *args, *([z3.IntVal(0, ctx=self.context)] if len(args) == 2 else [])
            )
        if operator == "divisible":
            return self.call("divides", z3.IntVal(indices[0], ctx=self.context), *args)
        if operator in ("at-most", "at-least"):
            array, count = inner._to_ast_array(args)  # noqa: SLF001 - as above
            return self.wrap(
                getattr(core, f"Z3_mk_{tables.OTHERS[operator]}")(self.ref, count, array, *indices)
            )
        if operator in tables.REGEXES:
            regex = z3.ReSort(z3.StringSort(ctx=self.context))
            return self.wrap(getattr(core, f"Z3_mk_{tables.OTHERS[operator]}")(self.ref, regex.ast))
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
        python = {
            "fpa_to_fp_bv": "fpBVToFP", "fpa_to_fp_unsigned": "fpUnsignedToFP", "fpa_to_fp_float": "fpFPToFP",
            "fpa_to_fp_real": "fpRealToFP", "fpa_to_fp_signed": "fpSignedToFP",
        }  # fmt: skip
        if self.number % 3 != 1:
            return getattr(z3, python[name])(*args, sort, ctx=self.context)
        given = [arg.as_ast() for arg in args]
        return self.wrap(getattr(core, f"Z3_mk_{name}")(self.ref, *given, sort.ast))

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """A recursive definition that does not recur, or its unfolding by hand: two ways users have.

        Logics with a name have no recursive definitions, and solvers for them take them for any functions.
        """
        if self.number % 2 and not self.logic and hasattr(z3, "RecFunction"):
            self.is_defining = True
            made = z3.RecFunction(name, *(v.sort() for v in variables), body.sort())
            z3.RecAddDefinition(made, variables, body)
            return made
        return tables.Unfolded(variables, body)

    def applied(self, function: Any, args: list[Any]) -> Any:
        if isinstance(function, tables.Unfolded):
            return z3.substitute(function.body, *zip(function.variables, args, strict=True))
        return function(*args)


def there(name: str) -> bool:
    return hasattr(core, f"Z3_mk_{name}")


def pattern_in(body: Any, variables: list[Any]) -> Any:
    """An application or a selection in which all the variables are; None if there is none."""
    wanted = {variable.get_id() for variable in variables}
    todo = [body]
    while todo:
        term = todo.pop()
        kind = term.decl().kind() if z3.is_app(term) else None
        if kind in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_SELECT) and term.num_args() and wanted <= ids_in(term):
            return term
        todo.extend(term.children() if z3.is_app(term) else [])
    return None


def ids_in(term: Any) -> set[int]:
    found: set[int] = set()
    todo = [term]
    while todo:
        part = todo.pop()
        if part.get_id() not in found:
            found.add(part.get_id())
            todo.extend(part.children())
    return found
