"""OtherCalls: terms by further functions of Yices, each equivalent to the one that users would call."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_int32, c_uint32
from typing import Any

PAIRS = {
    "and": "and2", "or": "or2", "xor": "xor2", "+": "add", "*": "mul", "bvadd": "bvadd", "bvmul": "bvmul",
    "bvand": "bvand2", "bvor": "bvor2", "bvxor": "bvxor2", "concat": "bvconcat2",
}  # fmt: skip
TRIPLES = {"and": "and3", "or": "or3", "xor": "xor3", "bvand": "bvand3", "bvor": "bvor3", "bvxor": "bvxor3"}
AGAINST_ZERO = {"<=": "leq0", "<": "lt0", ">=": "geq0", ">": "gt0"}
EQUALITIES = {"=": ("eq", "iff"), "distinct": ("neq", "xor2")}
WIDEST = 8  # of an extraction bit by bit


class OtherCalls:
    """Makes terms; `call` calls a function of the library."""

    def __init__(self, call: Callable[..., int]) -> None:
        self.call = call

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], variant: int) -> int | None:
        """An equivalent of the usual term; None if there is no other call for it."""
        if not all(isinstance(arg, int) for arg in args):
            return None  # a definition, which is expanded
        call = self.call
        if operator == "bvmul" and len(args) == 2 and args[0] == args[1]:
            return call("bvsquare", args[0]) if variant % 2 else call("bvpower", args[0], c_uint32(2))
        if operator in PAIRS and len(args) == 2:
            return call(PAIRS[operator], *args)
        if operator in TRIPLES and len(args) == 3:
            return call(TRIPLES[operator], *args)
        if operator in AGAINST_ZERO and len(args) == 2:
            return call(f"arith_{AGAINST_ZERO[operator]}_atom", call("sub", *args))
        if operator in EQUALITIES and len(args) == 2:
            return self.equality(operator, args, variant)
        if operator in ("apply", "select") and len(args) in (2, 3, 4):
            return call(f"application{len(args) - 1}", *args)
        if operator == "store":
            return call("update1", *args)
        if operator == "to_int":
            return call("neg", call("ceil", call("neg", args[0])))
        return self.by_shifts(operator, indices, args)

    def equality(self, operator: str, args: list[int], variant: int) -> int:
        """An equality, or the negation of one, by the functions for its sort."""
        call = self.call
        word, of_formulas = EQUALITIES[operator]
        if call("term_is_bool", args[0]):
            return call(of_formulas, *args)
        if call("term_is_bitvector", args[0]):
            return call(f"bv{word}_atom", *args)
        if call("term_is_arithmetic", args[0]):
            if variant % 2:
                return call(f"arith_{word}0_atom", call("sub", *args))
            return call(f"arith_{word}_atom", *args)
        return call(word, *args)

    def by_shifts(self, operator: str, indices: tuple[int, ...], args: list[int]) -> int | None:
        """What changes the places of bits, by shifts of constant lengths or bit by bit."""
        call = self.call
        if operator in ("rotate_left", "rotate_right"):
            width = call("term_bitsize", args[0])
            left = indices[0] % width if operator == "rotate_left" else -indices[0] % width
            if not left:
                return None
            filled = "1" if operator == "rotate_right" else "0"
            join = "bvand2" if filled == "1" else "bvor2"
            high = call(f"shift_left{filled}", args[0], c_uint32(left))
            return call(join, high, call(f"shift_right{filled}", args[0], c_uint32(width - left)))
        if operator == "sign_extend" and indices[0]:
            low = call("bvconst_zero", c_uint32(indices[0]))
            return call("ashift_right", call("bvconcat2", args[0], low), c_uint32(indices[0]))
        if operator == "extract" and indices[0] - indices[1] < WIDEST:
            bits = [call("bitextract", args[0], c_uint32(bit)) for bit in range(indices[1], indices[0] + 1)]
            return call("bvarray", c_uint32(len(bits)), numbers(bits))
        return None


def numbers(values: list[int]) -> Any:
    """A C array of numbers, which shows in the program of a trace where they come from."""
    array: Any = (c_int32 * len(values))(*values)
    array.values = values
    return array
