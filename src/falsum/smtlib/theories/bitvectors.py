"""FixedSizeBitVectors with the 2.7 additions, and what solvers add to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from falsum.smtlib.operators import Meaning, Operator, Theory, aliases, table
from falsum.smtlib.sorts import BOOL, Index, Sort, bitvec
from falsum.smtlib.theories.meanings import folded_of_width, numbers, of_width, width
from falsum.smtlib.values import bitvectors

if TYPE_CHECKING:
    from falsum.smtlib.terms import App

_FOLDED = ("add", "mul", "xor", "nand", "nor", "xnor", "sub")
_BINARY_MEANINGS = """
    udiv urem sdiv srem smod shl lshr ashr ult ule ugt uge slt sle sgt sge
    uaddo saddo umulo smulo usubo ssubo sdivo
""".split()
_BINARY = ("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr")
_ASSOCIATIVE = ("bvand", "bvor", "bvadd", "bvmul", "bvxor")
_LENIENT = ("bvnand", "bvnor", "bvxnor", "bvsub")
_COMPARISONS = ("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge")
_OVERFLOWS = ["bvuaddo", "bvsaddo", "bvumulo", "bvsmulo", "bvusubo", "bvssubo", "bvsdivo"]
_BV = "(_ BitVec m)"


def _concat(app: App, args: Sequence[int]) -> int:
    result = args[0]
    for arg, payload in zip(app.args[1:], args[1:], strict=True):
        result = bitvectors.concat(width(arg.sort), result, payload)
    return result


def _indexed(function: Callable[..., object]) -> Meaning:
    """The function of the argument's width, the index and the payload."""
    return lambda app, args: function(width(app.args[0].sort), *numbers(app), args[0])


_STANDARD = table(
    "FixedSizeBitVectors",
    f"""
    (concat (_ BitVec i) (_ BitVec j) (_ BitVec (+ i j)) :left-assoc)
    ((_ extract i j) {_BV} (_ BitVec (+ (- i j) 1)) :where (<= 0 j i) :where (< i m))
    ((_ repeat i) {_BV} (_ BitVec (* i m)) :where (< 0 i))
    ((_ zero_extend i) {_BV} (_ BitVec (+ m i)))
    ((_ sign_extend i) {_BV} (_ BitVec (+ m i)))
    ((_ rotate_left i) {_BV} {_BV})
    ((_ rotate_right i) {_BV} {_BV})
    (bvnot {_BV} {_BV}) (bvneg {_BV} {_BV})
    (bvcomp {_BV} {_BV} (_ BitVec 1))
    (bvnego {_BV} Bool)
    (ubv_to_int {_BV} Int) (sbv_to_int {_BV} Int) ((_ int_to_bv n) Int (_ BitVec n) :where (< 0 n))
    """
    + "".join(f"({name} {_BV} {_BV} {_BV} :left-assoc)" for name in _ASSOCIATIVE)
    + "".join(f"({name} {_BV} {_BV} {_BV} :nary)" for name in _LENIENT)
    + "".join(f"({name} {_BV} {_BV} {_BV})" for name in _BINARY)
    + "".join(f"({name} {_BV} {_BV} Bool)" for name in (*_COMPARISONS, *_OVERFLOWS)),
    {
        "concat": _concat,
        "extract": lambda app, args: bitvectors.extract(numbers(app)[0], numbers(app)[1], args[0]),
        "repeat": _indexed(bitvectors.repeat),
        "zero_extend": _indexed(bitvectors.zero_extend),
        "sign_extend": _indexed(bitvectors.sign_extend),
        "rotate_left": _indexed(bitvectors.rotate_left),
        "rotate_right": _indexed(bitvectors.rotate_right),
        "bvnot": of_width(bitvectors.not_),
        "bvneg": of_width(bitvectors.neg),
        "bvcomp": of_width(bitvectors.comp),
        "bvnego": of_width(bitvectors.nego),
        "ubv_to_int": of_width(bitvectors.to_unsigned_int),
        "sbv_to_int": of_width(bitvectors.to_signed_int),
        "int_to_bv": lambda app, args: bitvectors.from_int(numbers(app)[0], args[0]),
        "bvand": folded_of_width(bitvectors.and_),
        "bvor": folded_of_width(bitvectors.or_),
        **{f"bv{n}": folded_of_width(getattr(bitvectors, n)) for n in _FOLDED},
        **{f"bv{n}": of_width(getattr(bitvectors, n)) for n in _BINARY_MEANINGS},
    },
)
_EXTENSIONS = table(
    "FixedSizeBitVectors",
    f"""
    (bvredor {_BV} (_ BitVec 1)) (bvredand {_BV} (_ BitVec 1))
    (bvite (_ BitVec 1) {_BV} {_BV} {_BV})
    (ext_rotate_left {_BV} {_BV} {_BV}) (ext_rotate_right {_BV} {_BV} {_BV})
    (bvumul_noovfl {_BV} {_BV} Bool) (bvsmul_noovfl {_BV} {_BV} Bool) (bvsmul_noudfl {_BV} {_BV} Bool)
    (bvsdiv0 {_BV} {_BV}) (bvudiv0 {_BV} {_BV}) (bvsrem0 {_BV} {_BV})
    (bvurem0 {_BV} {_BV}) (bvsmod0 {_BV} {_BV})
    (bvsdiv_i {_BV} {_BV} {_BV}) (bvudiv_i {_BV} {_BV} {_BV}) (bvsrem_i {_BV} {_BV} {_BV})
    (bvurem_i {_BV} {_BV} {_BV}) (bvsmod_i {_BV} {_BV} {_BV})
    (bit0 (_ BitVec 1)) (bit1 (_ BitVec 1))
    ((_ bit2bool i) {_BV} Bool :where (< i m))
    ((_ bit i) {_BV} Bool :where (< i m)) ((_ @bit i) {_BV} Bool :where (< i m))
    (bvultbv {_BV} {_BV} (_ BitVec 1)) (bvsltbv {_BV} {_BV} (_ BitVec 1))
    """,
    {
        "bvredor": of_width(bitvectors.redor),
        "bvredand": of_width(bitvectors.redand),
        "bvite": lambda app, args: args[1] if args[0] else args[2],
        "ext_rotate_left": of_width(bitvectors.ext_rotate_left),
        "ext_rotate_right": of_width(bitvectors.ext_rotate_right),
        "bit0": lambda app, args: 0,
        "bit1": lambda app, args: 1,
        "bit2bool": lambda app, args: bool(args[0] >> numbers(app)[0] & 1),
        "bvsdiv_i": of_width(bitvectors.sdiv),
        "bvudiv_i": of_width(bitvectors.udiv),
        "bvsrem_i": of_width(bitvectors.srem),
        "bvurem_i": of_width(bitvectors.urem),
        "bvsmod_i": of_width(bitvectors.smod),
        "bvumul_noovfl": lambda app, args: not bitvectors.umulo(width(app.args[0].sort), *args),
    },
    is_standard=False,
)


def _make_bits(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """z3's (mkbv p q …): a bit-vector from Booleans."""
    if indices or not sorts or any(sort is not BOOL for sort in sorts):
        return None
    return bitvec(len(sorts))


_OPERATORS = [*_STANDARD, *_EXTENSIONS]

THEORY = Theory(
    "FixedSizeBitVectors",
    {"BitVec": (1, 0)},
    (
        *_OPERATORS,
        *aliases(_OPERATORS, {"bv2nat": "ubv_to_int", "bv2int": "ubv_to_int", "int2bv": "int_to_bv"}),
        Operator(
            "mkbv",
            "FixedSizeBitVectors",
            rule=_make_bits,
            wants="Bool arguments",
            is_standard=False,
        ),
    ),
)
