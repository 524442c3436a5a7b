"""Sorts, constants and values of z3's binding; loaded by `z3_terms.py` in the child.

By the functions of the Python module or by those of the C interface; the line's number chooses, and without
one it is what users write.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

z3: Any = importlib.import_module("z3")
inner: Any = importlib.import_module("z3.z3")
core: Any = importlib.import_module("z3.z3core")

FLOATS = {
    (5, 11): ("Float16", "FloatHalf"), (8, 24): ("Float32", "FloatSingle"),
    (11, 53): ("Float64", "FloatDouble"), (15, 113): ("Float128", "FloatQuadruple"),
}  # fmt: skip
ROUNDING = {
    "RNE": "RoundNearestTiesToEven", "RNA": "RoundNearestTiesToAway", "RTP": "RoundTowardPositive",
    "RTN": "RoundTowardNegative", "RTZ": "RoundTowardZero",
}  # fmt: skip
SPECIAL_FLOATS = {
    "NaN": "fpNaN", "+oo": "fpPlusInfinity", "-oo": "fpMinusInfinity", "+zero": "fpPlusZero",
    "-zero": "fpMinusZero",
}  # fmt: skip


class Inputs:
    """The part of the binding that makes what terms begin with."""

    number: int
    context: Any
    ref: Any
    untouched: bool

    def wrap(self, ast: Any) -> Any:
        return inner._to_expr_ref(ast, self.context)  # noqa: SLF001 - as z3's own modules do

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        self.untouched = False
        simple = {
            "Bool": z3.BoolSort, "Int": z3.IntSort, "Real": z3.RealSort, "String": z3.StringSort,
            "BitVec": z3.BitVecSort, "FloatingPoint": z3.FPSort, "RoundingMode": rounding_sort,
        }  # fmt: skip
        if name == "FloatingPoint" and indices in FLOATS and self.number % 2:
            return getattr(z3, FLOATS[indices][self.number // 2 % 2])(ctx=self.context)
        if name in simple:
            return simple[name](*indices, ctx=self.context)
        if name == "FiniteField":
            return z3.FiniteFieldSort(indices[0], ctx=self.context)
        makers = {"Array": "ArraySort", "Seq": "SeqSort", "Set": "FiniteSetSort"}
        if name in makers:
            return getattr(z3, makers[name])(*(arg.made for arg in args))
        return [arg.made for arg in args]

    def declare_sort(self, name: str) -> Any:
        self.untouched = False
        return z3.DeclareSort(name, ctx=self.context)

    def const(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "->":
            return z3.Function(name, *sort.made)
        if self.number % 2 and sort.name in ("Bool", "Int", "Real", "String"):
            return getattr(z3, sort.name)(name, ctx=self.context)
        if self.number % 2 and sort.name == "BitVec":
            return z3.BitVec(name, sort.indices[0], ctx=self.context)
        if self.number % 2 and sort.name == "FloatingPoint":
            return z3.FP(name, sort.made, ctx=self.context)
        if self.number % 2 and sort.name == "Array" and len(sort.args) == 2:
            return z3.Array(name, sort.args[0].made, sort.args[1].made)
        return z3.Const(name, sort.made)

    def var(self, sort: SortHandle, name: str) -> Any:
        return z3.Const(name, sort.made)

    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "Bool":
            return z3.BoolVal(text == "true", ctx=self.context)
        if sort.name == "BitVec":
            return self.bits(sort, text)
        if sort.name in ("Int", "Real"):
            return self.arithmetic(sort, text)
        if sort.name == "String":
            characters = text[1:-1].replace('""', '"')
            if self.number % 2:
                return self.wrap(core.Z3_mk_string(self.ref, characters))
            return z3.StringVal(characters, ctx=self.context)
        if sort.name == "RoundingMode":
            return getattr(z3, ROUNDING[text] if self.number % 2 else text)(ctx=self.context)
        if sort.name == "FiniteField":
            return z3.FiniteFieldVal(int(text.partition("ff")[2].split()[0]), sort.made)
        return self.floating(sort, [word[2:] for word in text.strip("()").split()[1:]])

    def bits(self, sort: SortHandle, text: str) -> Any:
        bases = {"#b": 2, "#x": 16}
        number = int(text[2:], bases[text[:2]]) if text[:2] in bases else int(text)
        if self.number % 3 == 0:
            return z3.BitVecVal(number, sort.indices[0], ctx=self.context)
        if text.startswith("#b") and self.number % 2:
            return self.wrap(core.Z3_mk_bv_numeral(self.ref, len(text) - 2, bool_array(text[2:])))
        return self.wrap(core.Z3_mk_numeral(self.ref, str(number), sort.made.ast))

    def arithmetic(self, sort: SortHandle, text: str) -> Any:
        if self.number % 3 == 0:
            return (z3.IntVal if sort.name == "Int" else z3.RealVal)(text, ctx=self.context)
        above, slash, below = text.partition("/")
        if slash and self.number % 3 == 1:
            return z3.RatVal(int(above), int(below), ctx=self.context)
        return self.wrap(core.Z3_mk_numeral(self.ref, text, sort.made.ast))

    def floating(self, sort: SortHandle, parts: list[str]) -> Any:
        if self.number % 3 == 1 and (made := self.numeral(parts, sort.made)) is not None:
            return made
        bits = [z3.BitVecVal(int(part, 2), len(part), ctx=self.context) for part in parts]
        if self.number % 3 == 0:
            return z3.fpFP(*bits, ctx=self.context)
        return self.wrap(core.Z3_mk_fpa_fp(self.ref, *(bit.as_ast() for bit in bits)))

    def numeral(self, parts: list[str], sort: Any) -> Any:
        """A normal or zero float by sign, exponent and significand; None for others."""
        sign, exponent, significand = (int(part, 2) for part in parts)
        bias = (1 << (len(parts[1]) - 1)) - 1
        if not 0 < exponent <= 2 * bias or len(parts[2]) > 62:
            return None
        maker = core.Z3_mk_fpa_numeral_int64_uint64
        return self.wrap(maker(self.ref, sign == 1, exponent - bias, significand, sort.ast))

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "Bool":
            return self.wrap(getattr(core, f"Z3_mk_{name}")(self.ref))
        if sort.name == "BitVec":
            top = 1 << (sort.indices[0] - 1)
            numbers = {"zero": 0, "one": 1, "ones": -1, "min_signed": -top, "max_signed": top - 1}
            return z3.BitVecVal(numbers[name], sort.indices[0], ctx=self.context)
        if self.number % 3 == 0:
            return getattr(z3, SPECIAL_FLOATS[name])(sort.made)
        if name == "NaN":
            return self.wrap(core.Z3_mk_fpa_nan(self.ref, sort.made.ast))
        is_infinite, is_negative = name.endswith("oo"), name[0] == "-"
        if self.number % 3 == 2:
            return (z3.fpInfinity if is_infinite else z3.fpZero)(sort.made, is_negative)
        maker = core.Z3_mk_fpa_inf if is_infinite else core.Z3_mk_fpa_zero
        return self.wrap(maker(self.ref, sort.made.ast, is_negative))


def rounding_sort(ctx: Any) -> Any:
    return z3.RNE(ctx=ctx).sort()


def bool_array(bits: str) -> Any:
    """Least significant first, as Z3_mk_bv_numeral wants them."""
    return (ctypes.c_bool * len(bits))(*(bit == "1" for bit in reversed(bits)))
