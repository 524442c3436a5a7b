"""Sorts, constants and values, made by functions of z3's Python module or of its C interface; the variant
chooses, and variant 0 is what users write.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .library import core, inner, z3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

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


class Z3Inputs:
    """The part of the binding that makes sorts, constants and values."""

    variant: int
    context: Any
    ref: Any
    is_context_unused: bool

    def wrap(self, ast: Any) -> Any:
        return inner._to_expr_ref(ast, self.context)  # noqa: SLF001 - as z3's own modules do

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        self.is_context_unused = False
        simple = {
            "Bool": z3.BoolSort, "Int": z3.IntSort, "Real": z3.RealSort, "String": z3.StringSort,
            "BitVec": z3.BitVecSort, "FloatingPoint": z3.FPSort, "RoundingMode": rounding_sort,
        }  # fmt: skip
        if name == "FloatingPoint" and indices in FLOATS and self.variant % 2:
            return getattr(z3, FLOATS[indices][self.variant // 2 % 2])(ctx=self.context)
        if name in simple:
            return simple[name](*indices, ctx=self.context)
        if name == "FiniteField":
            return z3.FiniteFieldSort(indices[0], ctx=self.context)
        makers = {"Array": "ArraySort", "Seq": "SeqSort", "Set": "FiniteSetSort"}
        if name in makers:
            return getattr(z3, makers[name])(*(arg.native for arg in args))
        return [arg.native for arg in args]

    def declare_sort(self, name: str) -> Any:
        self.is_context_unused = False
        return z3.DeclareSort(name, ctx=self.context)

    def const(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "->":
            return z3.Function(name, *sort.native)
        if self.variant % 2 and sort.name in ("Bool", "Int", "Real", "String"):
            return getattr(z3, sort.name)(name, ctx=self.context)
        if self.variant % 2 and sort.name == "BitVec":
            return z3.BitVec(name, sort.indices[0], ctx=self.context)
        if self.variant % 2 and sort.name == "FloatingPoint":
            return z3.FP(name, sort.native, ctx=self.context)
        if self.variant % 2 and sort.name == "Array" and len(sort.args) == 2:
            return z3.Array(name, sort.args[0].native, sort.args[1].native)
        return z3.Const(name, sort.native)

    def var(self, sort: SortHandle, name: str) -> Any:
        return z3.Const(name, sort.native)

    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "Bool":
            return z3.BoolVal(text == "true", ctx=self.context)
        if sort.name == "BitVec":
            return self.bits(sort, text)
        if sort.name in ("Int", "Real"):
            return self.arithmetic(sort, text)
        if sort.name == "String":
            characters = text[1:-1].replace('""', '"')
            if self.variant % 2:
                return self.wrap(core.Z3_mk_string(self.ref, characters))
            return z3.StringVal(characters, ctx=self.context)
        if sort.name == "RoundingMode":
            return getattr(z3, ROUNDING[text] if self.variant % 2 else text)(ctx=self.context)
        if sort.name == "FiniteField":
            return z3.FiniteFieldVal(int(text.partition("ff")[2].split()[0]), sort.native)
        return self.floating(sort, [word[2:] for word in text.strip("()").split()[1:]])

    def bits(self, sort: SortHandle, text: str) -> Any:
        bases = {"#b": 2, "#x": 16}
        number = int(text[2:], bases[text[:2]]) if text[:2] in bases else int(text)
        if self.variant % 3 == 0:
            return z3.BitVecVal(number, sort.indices[0], ctx=self.context)
        if text.startswith("#b") and self.variant % 2:
            return self.wrap(core.Z3_mk_bv_numeral(self.ref, len(text) - 2, bool_array(text[2:])))
        return self.wrap(core.Z3_mk_numeral(self.ref, str(number), sort.native.ast))

    def arithmetic(self, sort: SortHandle, text: str) -> Any:
        if self.variant % 3 == 0:
            return (z3.IntVal if sort.name == "Int" else z3.RealVal)(text, ctx=self.context)
        above, slash, below = text.partition("/")
        if slash and self.variant % 3 == 1:
            return z3.RatVal(int(above), int(below), ctx=self.context)
        return self.wrap(core.Z3_mk_numeral(self.ref, text, sort.native.ast))

    def floating(self, sort: SortHandle, parts: list[str]) -> Any:
        if self.variant % 3 == 1 and (number := self.numeral(parts, sort.native)) is not None:
            return number
        bits = [z3.BitVecVal(int(part, 2), len(part), ctx=self.context) for part in parts]
        if self.variant % 3 == 0:
            return z3.fpFP(*bits, ctx=self.context)
        return self.wrap(core.Z3_mk_fpa_fp(self.ref, *(bit.as_ast() for bit in bits)))

    def numeral(self, parts: list[str], sort: Any) -> Any:
        """Make a normal number from sign, exponent and significand; None for other numbers."""
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
        if self.variant % 3 == 0:
            return getattr(z3, SPECIAL_FLOATS[name])(sort.native)
        if name == "NaN":
            return self.wrap(core.Z3_mk_fpa_nan(self.ref, sort.native.ast))
        is_infinite, is_negative = name.endswith("oo"), name[0] == "-"
        if self.variant % 3 == 2:
            return (z3.fpInfinity if is_infinite else z3.fpZero)(sort.native, is_negative)
        maker = core.Z3_mk_fpa_inf if is_infinite else core.Z3_mk_fpa_zero
        return self.wrap(maker(self.ref, sort.native.ast, is_negative))


def rounding_sort(ctx: Any) -> Any:
    return z3.RNE(ctx=ctx).sort()


def bool_array(bits: str) -> Any:
    """The bits as Z3_mk_bv_numeral takes them: least significant first."""
    return (ctypes.c_bool * len(bits))(*(bit == "1" for bit in reversed(bits)))
