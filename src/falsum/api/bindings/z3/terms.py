"""Datatypes and terms of z3.

Terms are made by functions and operators of the Python module, by functions of the C interface, or by parsing
where there is nothing else. The variant chooses; variant 0, as in minimised traces, is what users write.
"""

from __future__ import annotations

import inspect
from functools import partial
from itertools import pairwise
from typing import Any

from . import operators as tables
from .inputs import Z3Inputs
from .library import core, inner, z3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

# Functions of the Python module that take the context; others find it in their arguments.
CONTEXTUAL = frozenset(
    name
    for each in (
        tables.PYTHON,
        tables.PYTHON_BINARY,
        tables.PYTHON_INDEXED,
        tables.PYTHON_INDEXED_LAST,
        tables.REARRANGED,
    )
    for name in each.values()
    if hasattr(z3, name) and "ctx" in inspect.signature(getattr(z3, name)).parameters
)
IS_POLYMORPHIC = hasattr(z3, "CreatePolymorphicDatatype")


class Z3Terms(Z3Inputs):
    """The part of the binding that makes datatypes and terms.

    `has_definitions`: the context holds named definitions, which the next run must not see.
    """

    members: dict[str, Any]
    has_definitions: bool
    logic: str
    parsed_operators: frozenset[str] = frozenset()

    def works(self, maker: Any) -> bool:
        """Whether a call succeeds: old releases have functions that only raise an exception."""
        try:
            maker()
        except z3.Z3Exception:
            return False
        return True

    def find_operators(self) -> list[str]:
        """The operators of this release; sets `parsed_operators`."""
        by_function = (
            tables.PLAIN, tables.ARRAY, tables.FOLDED, tables.CHAINED, tables.INDEXED, tables.INDEXED_LAST,
            tables.OTHERS,
        )  # fmt: skip
        operators = [op for table in by_function for op, name in table.items() if has_function(name)]
        operators += [
            op for op, parts in tables.OVERFLOWS.items() if all(has_function(name) for name, _ in parts)
        ]
        operators += [
            op for op, name in tables.PARSED.items() if op not in operators and has_function(name or "and")
        ]
        one = z3.IntVal(1, ctx=self.context)
        if "divisible" in operators and not self.works(lambda: self.other("divisible", (2,), [one], None)):
            operators.remove("divisible")
        if "^" in operators and not self.call("power", one, one).is_int():
            operators.remove("^")  # in old releases a power of integers is real
        bits = z3.BitVecVal(1, 4, ctx=self.context)
        self.parsed_operators = frozenset(
            name
            for name, count in tables.ALSO_PARSED.items()
            if self.works(partial(self.parsed, name, [bits] * count))
        )
        return operators

    # -- datatypes ---------------------------------------------------------------------------------

    def datatypes(self, declarations: list[tuple[str, list[Any]]]) -> list[Any]:
        self.is_context_unused = False
        self.has_definitions = True
        builders = [z3.Datatype(name, ctx=self.context) for name, _ in declarations]
        for builder, (_, constructors) in zip(builders, declarations, strict=True):
            for name, fields in constructors:
                sorts = [(f, builders[s] if isinstance(s, int) else s.native) for f, s in fields]
                builder.declare(name, *sorts)
        native_sorts = z3.CreateDatatypes(*builders)
        for sort in native_sorts:
            self.add_members(sort, "")
        return list(native_sorts)

    def template(self, name: str, parameters: int, constructors: list[Any]) -> Any:
        """Return the name: instances are made by name."""
        self.is_context_unused = False
        self.has_definitions = True
        params = [z3.DeclareTypeVar(f"X{index}", ctx=self.context) for index in range(parameters)]
        builder = z3.Datatype(name, ctx=self.context)
        for constructor, fields in constructors:
            sorts = [(f, self.field(s, builder, params)) for f, s in fields]
            builder.declare(constructor, *sorts)
        z3.CreatePolymorphicDatatype(builder, params)
        return name

    def field(self, sort: Any, builder: Any, params: list[Any]) -> Any:
        if isinstance(sort, str):
            return params[int(sort[1:])]
        return builder if isinstance(sort, int) else sort.native

    def instantiate(self, template: Any, args: list[SortHandle], suffix: str) -> Any:
        sort = z3.DatatypeSort(template, [arg.native for arg in args], ctx=self.context)
        self.add_members(sort, suffix)
        return sort

    def add_members(self, sort: Any, suffix: str) -> None:
        """Record the functions of a datatype under their operator names in traces."""
        for index in range(sort.num_constructors()):
            constructor = sort.constructor(index)
            name = constructor.name()
            self.members[f"make:{name}{suffix}"] = constructor
            self.members[f"is:{name}{suffix}"] = sort.recognizer(index)
            for at in range(constructor.arity()):
                accessor = sort.accessor(index, at)
                self.members[f"get:{accessor.name()}{suffix}"] = accessor

    def member(self, word: str, args: list[Any]) -> Any:
        """Apply a constructor, selector, tester or updater."""
        if not word.startswith("set:"):
            return self.members[word](*args)
        accessor = self.members["get:" + word[4:]]
        return self.call_of("datatype_update_field", accessor.ast, *args)

    # -- terms -------------------------------------------------------------------------------------

    def call(self, name: str, *args: Any) -> Any:
        """Call `Z3_mk_…` of the C interface with terms and numbers."""
        return self.call_of(f"mk_{name}", *args)

    def call_of(self, name: str, *args: Any) -> Any:
        """Call `Z3_…` of the C interface with terms and numbers."""
        natives = [arg.as_ast() if hasattr(arg, "as_ast") else arg for arg in args]
        return self.wrap(getattr(core, f"Z3_{name}")(self.ref, *natives))

    def array_call(self, name: str, args: list[Any]) -> Any:
        array, count = inner._to_ast_array(args)  # noqa: SLF001 - as z3's own modules do
        return self.wrap(getattr(core, f"Z3_mk_{name}")(self.ref, count, array))

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        if operator in self.members or operator.startswith("set:"):
            return self.member(operator, args)
        term = self.by_module(operator, indices, args, sort) if self.variant % 3 != 1 else None
        if term is not None:
            return term
        if operator in tables.PARSED or (operator in self.parsed_operators and self.variant % 5 == 3):
            return self.parsed(operator, args)
        if operator in tables.PLAIN:
            return self.call(tables.PLAIN[operator], *args)
        if operator in tables.ARRAY:
            return self.array_call(tables.ARRAY[operator], args)
        if operator in tables.FOLDED:
            return self.folded(tables.FOLDED[operator], args)
        if operator in tables.CHAINED:
            links = [self.call(tables.CHAINED[operator], a, b) for a, b in pairwise(args)]
            return links[0] if len(links) == 1 else self.array_call("and", links)
        if operator in tables.INDEXED:
            return self.call(tables.INDEXED[operator], *indices, *args)
        if operator in tables.INDEXED_LAST:
            return self.call(tables.INDEXED_LAST[operator], *args, *indices)
        if operator in tables.OVERFLOWS:
            safe = [self.overflow(name, args, more) for name, more in tables.OVERFLOWS[operator]]
            return self.call("not", safe[0] if len(safe) == 1 else self.array_call("and", safe))
        return self.other(operator, indices, args, sort)

    def overflow(self, name: str, args: list[Any], more: tuple[bool, ...]) -> Any:
        if self.variant % 3 != 1:
            return getattr(z3, tables.NO_OVERFLOW[name])(*args, *more)
        return self.call(name, *args, *more)

    def by_module(
        self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None
    ) -> Any:
        """Make a term by the Python module; None if it has nothing for the operator."""
        if operator in tables.REARRANGED:
            return self.rearranged(tables.REARRANGED[operator], operator, indices, args, sort)
        if indices:
            if operator in tables.PYTHON_INDEXED:
                return self.function(tables.PYTHON_INDEXED[operator], *indices, *args)
            name = tables.PYTHON_INDEXED_LAST.get(operator)
            return self.function(name, *args, *indices) if name else None
        if len(args) > 2 and operator in tables.CHAINED:
            links = [self.by_module(operator, (), [*pair], sort) for pair in pairwise(args)]
            return None if any(link is None for link in links) else self.function("And", *links)
        name = tables.PYTHON.get(operator) or (tables.PYTHON_BINARY.get(operator) if len(args) == 2 else None)
        name = name if name and hasattr(z3, name) else None
        method = tables.PYTHON_METHODS.get(operator)
        if method and len(args) < 3 and hasattr(args[0], method) and (self.variant % 2 or not name):
            return getattr(args[0], method)(*args[1:])
        return self.function(name, *args) if name else None

    def rearranged(
        self, name: str, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None
    ) -> Any:
        """Make a term by a function that takes sorts, or arguments in another order."""
        if not hasattr(z3, name):
            return None
        keywords = {"ctx": self.context} if name in CONTEXTUAL else {}
        maker = partial(getattr(z3, name), **keywords)
        if operator in tables.REGEXES:
            return maker(z3.ReSort(z3.StringSort(ctx=self.context)))
        if operator in ("seq.empty", "set.empty"):
            return maker(sort.native) if sort is not None else None
        if operator == "const":
            return maker(sort.args[0].native, *args) if sort is not None else None
        if operator in ("fp.to_ubv", "fp.to_sbv"):
            return maker(*args, z3.BitVecSort(*indices, ctx=self.context))
        if operator in ("ubv_to_int", "sbv_to_int"):
            return maker(*args, operator == "sbv_to_int")
        return maker(*args, *indices)

    def function(self, name: str, *args: Any) -> Any:
        """Call a function of the Python module."""
        if name in ("And", "Or"):  # up to 4.8.7 they use the main context unless one is the last argument
            args = (*args, self.context)
        keywords = {"ctx": self.context} if name in CONTEXTUAL else {}
        return getattr(z3, name)(*args, **keywords)

    def parsed(self, operator: str, args: list[Any]) -> Any:
        """Parse a term with the operator, and apply its declaration."""
        names = [f"a{index}" for index in range(len(args))]
        declarations = "".join(
            f"(declare-const {n} {a.sort().sexpr()})" for n, a in zip(names, args, strict=True)
        )
        term = f"({operator} {' '.join(names)})" if names else operator
        read = z3.parse_smt2_string(f"{declarations}(assert (= {term} {term}))", ctx=self.context)
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
            trigger = pattern_in(args[-1], args[:-1]) if self.variant % 3 == 1 else None
            if trigger is None:
                return maker(args[:-1], args[-1], qid="q" if self.variant % 5 == 1 else "")
            word = "patterns" if self.variant % 2 else "no_patterns"
            return maker(args[:-1], args[-1], weight=1 + self.variant % 3, **{word: [trigger]})
        if operator == "=>":
            result = args[-1]
            for arg in reversed(args[:-1]):
                result = self.call("implies", arg, result)
            return result
        if operator == "-":
            return self.call("unary_minus", *args) if len(args) == 1 else self.array_call("sub", args)
        if operator == "const" and sort is not None:
            return self.wrap(core.Z3_mk_const_array(self.ref, sort.args[0].native.ast, args[0].as_ast()))
        if operator in ("ubv_to_int", "sbv_to_int"):
            return self.call("bv2int", *args, operator == "sbv_to_int")
        if operator in ("seq.empty", "set.empty") and sort is not None:
            return self.wrap(getattr(core, f"Z3_mk_{tables.OTHERS[operator]}")(self.ref, sort.native.ast))
        if operator == "seq.indexof":
            return self.call(
                "seq_index", *args, *([z3.IntVal(0, ctx=self.context)] if len(args) == 2 else [])
            )
        if operator == "divisible":
            return self.call("divides", z3.IntVal(indices[0], ctx=self.context), *args)
        if operator in ("at-most", "at-least"):
            array, count = inner._to_ast_array(args)  # noqa: SLF001 - as z3's own modules do
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
        if self.variant % 3 != 1:
            return getattr(z3, python[name])(*args, sort, ctx=self.context)
        natives = [arg.as_ast() for arg in args]
        return self.wrap(getattr(core, f"Z3_mk_{name}")(self.ref, *natives, sort.ast))

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        """Define a function by z3's recursive definitions, or inline.

        Solvers for a named logic treat recursive functions as uninterpreted ones.
        """
        if self.variant % 2 and not self.logic and hasattr(z3, "RecFunction"):
            self.has_definitions = True
            function = z3.RecFunction(name, *(v.sort() for v in variables), body.sort())
            z3.RecAddDefinition(function, variables, body)
            return function
        return tables.InlineDefinition(variables, body)

    def applied(self, function: Any, args: list[Any]) -> Any:
        if isinstance(function, tables.InlineDefinition):
            return z3.substitute(function.body, *zip(function.variables, args, strict=True))
        return function(*args)


def has_function(name: str) -> bool:
    return hasattr(core, f"Z3_mk_{name}")


def pattern_in(body: Any, variables: list[Any]) -> Any:
    """A function application or a select with all the variables in it; None if there is none."""
    ids = {variable.get_id() for variable in variables}
    todo = [body]
    while todo:
        term = todo.pop()
        kind = term.decl().kind() if z3.is_app(term) else None
        if kind in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_SELECT) and term.num_args() and ids <= ids_in(term):
            return term
        todo.extend(term.children() if z3.is_app(term) else [])
    return None


def ids_in(term: Any) -> set[int]:
    ids: set[int] = set()
    todo = [term]
    while todo:
        part = todo.pop()
        if part.get_id() not in ids:
            ids.add(part.get_id())
            todo.extend(part.children())
    return ids
