"""The theory FixedSizeBitVectors with the additions of SMT-LIB 2.7, and extensions of solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import gcd
from random import Random
from typing import TYPE_CHECKING, Any, Final

from falsum.errors import UsageError
from falsum.smtlib.operators import Meaning, Operator, aliases, table
from falsum.smtlib.sort_kinds import (
    Difference,
    Domain,
    FiniteDomains,
    Literals,
    Notation,
    Order,
    Payload,
    SortKind,
)
from falsum.smtlib.sorts import BOOL, MAX_WIDTH, Index, Sort, bitvec
from falsum.smtlib.terms import Head, Term, Value, app, value
from falsum.smtlib.text.lexer import MAX_DIGITS, token_text
from falsum.smtlib.theories.arithmetic_sorts import smaller_numbers
from falsum.smtlib.theories.core import equation
from falsum.smtlib.theories.laws import bitvectors as laws
from falsum.smtlib.theories.meanings import folded_of_width, numbers, of_width, width
from falsum.smtlib.theories.theory import Theory
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


def _with_index(function: Callable[..., object]) -> Meaning:
    """A meaning from a function of the width of the argument, the indices and the payload."""
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
        "repeat": _with_index(bitvectors.repeat),
        "zero_extend": _with_index(bitvectors.zero_extend),
        "sign_extend": _with_index(bitvectors.sign_extend),
        "rotate_left": _with_index(bitvectors.rotate_left),
        "rotate_right": _with_index(bitvectors.rotate_right),
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
        **dict.fromkeys(("bit", "@bit"), lambda app, args: bool(args[0] >> numbers(app)[0] & 1)),
        "bvultbv": lambda app, args: int(args[0] < args[1]),
        "bvsltbv": lambda app, args: int(bitvectors.slt(width(app.args[0].sort), *args)),
        "bvsmul_noovfl": lambda app, args: _signed_product(app, args) < 1 << width(app.args[0].sort) - 1,
        "bvsmul_noudfl": lambda app, args: _signed_product(app, args) >= -1 << width(app.args[0].sort) - 1,
        "bvumul_noovfl": lambda app, args: not bitvectors.umulo(width(app.args[0].sort), *args),
    },
    is_standard=False,
)


def _signed_product(app: App, args: Sequence[Any]) -> int:
    bits = width(app.args[0].sort)
    return bitvectors.signed(bits, args[0]) * bitvectors.signed(bits, args[1])


def _make_bits(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """z3's `(mkbv p q …)` makes a bit-vector of Booleans."""
    if indices or not sorts or any(sort is not BOOL for sort in sorts):
        return None
    return bitvec(len(sorts))


_OPERATORS = [*_STANDARD, *_EXTENSIONS]


# -- the sort --------------------------------------------------------------------------------------

# For wider bit-vectors `(_ bv5 32)` may be shorter than a binary or hexadecimal literal.
_LONGEST_BINARY: Final = 12
_SMALL_WIDTHS: Final = (1, 2, 4, 8)


def _sort(indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
    if indices[0] < 1:
        raise UsageError("a bit-vector has at least one bit")
    _check_width(indices[0])
    return Sort("BitVec", indices, args)


def _check_width(bits: int) -> None:
    if bits > MAX_WIDTH:
        raise UsageError(f"bit-vectors of more than {MAX_WIDTH} bits are not supported")


def _token(token: str, reals_only: bool) -> Value | None:
    """`#b0101` and `#x5`."""
    del reals_only
    base, bits = _BASES.get(token[1:2], (0, 0))
    digits = token[2:]
    if not base or not digits or len(token) > MAX_DIGITS or not _ALPHABETS[base].issuperset(digits):
        return None
    return value(bitvec(bits * len(digits)), int(digits, base), token)


# By the letter after `#`: the base, and the number of bits per digit.
_BASES: Final = {"b": (2, 1), "x": (16, 4)}
_ALPHABETS: Final = {2: frozenset("01"), 16: frozenset("0123456789abcdefABCDEF")}


def _indexed(name: str, indices: tuple[object, ...]) -> Value | None:
    """`(_ bv5 8)`."""
    digits = name[2:]
    is_ours = name[:2] == "bv" and digits.isdecimal() and digits.isascii() and len(digits) <= MAX_DIGITS
    if not is_ours or len(indices) != 1:
        return None
    bits, number = indices[0], int(digits)
    if not isinstance(bits, int) or bits < 1 or number.bit_length() > bits:
        raise UsageError(f"{token_text(digits)} does not fit into {bits} bits")
    _check_width(bits)
    return value(bitvec(bits), number, f"(_ {name} {bits})")


def _text(sort: Sort, payload: int) -> str:
    return f"#b{payload:0{width(sort)}b}"


def _shortest_text(sort: Sort, payload: int) -> str:
    bits = width(sort)
    spellings = [_text(sort, payload) if bits % 4 else f"#x{payload:0{bits // 4}x}"]
    if bits > _LONGEST_BINARY:
        spellings.append(f"(_ bv{payload} {bits})")
    return min(spellings, key=len)


def _drawn(sort: Sort, payload: int, rng: Random) -> str:
    base = rng.randrange(3)
    if base == 0 and width(sort) % 4 == 0:
        return f"#x{payload:0{width(sort) // 4}x}"
    return str(payload) if base == 1 else _text(sort, payload)


def _read(sort: Sort, text: str) -> int:
    payload = int(text[2:], _BASES[text[1]][0]) if text.startswith("#") else int(text)
    if not 0 <= payload < 1 << width(sort):
        raise ValueError(text)
    return payload


def _special(sort: Sort, name: str) -> int | None:
    top = 1 << (width(sort) - 1)
    constants = {"zero": 0, "one": 1, "ones": 2 * top - 1, "min_signed": top, "max_signed": top - 1}
    return constants.get(name)


def _corners(sort: Sort) -> tuple[int, ...]:
    top = 1 << (width(sort) - 1)
    return tuple(dict.fromkeys((0, 1, 2 * top - 1, top, top - 1, min(2, 2 * top - 1))))


def _random(sort: Sort, rng: Random) -> int:
    return rng.getrandbits(width(sort))


def _domain(sort: Sort, domains: FiniteDomains) -> Domain | None:
    bits = width(sort)
    return tuple(range(1 << bits)) if bits <= domains.limit.bit_length() - 1 else None


def _smaller_sorts(sorts: Sequence[Sort]) -> Iterator[dict[Sort, Sort]]:
    """First all widths divided by their greatest common divisor; then each one reduced, the largest first."""
    widths = sorted(map(width, sorts))
    common = gcd(*widths)
    if common > 1:
        yield {bitvec(bits): bitvec(bits // common) for bits in widths}
    for bits in reversed(widths):
        smaller = dict.fromkeys((*_SMALL_WIDTHS, bits // 2, bits - 1))
        yield from ({bitvec(bits): bitvec(new)} for new in smaller if 0 < new < bits)


def _converted(old: Sort, new: Sort, payload: Payload) -> int | None:
    """The payload in the width of the new sort: its low bits."""
    del old
    return payload & ((1 << width(new)) - 1) if isinstance(payload, int) else None


_SIGNED_LESS: Final = Head(next(operator for operator in _OPERATORS if operator.name == "bvslt"))


def _regions(term: Term) -> Iterator[Term]:
    zero, ones = (
        value(term.sort, payload, _text(term.sort, payload)) for payload in (0, (1 << width(term.sort)) - 1)
    )
    yield equation(term, zero)
    yield equation(term, ones)
    yield app(_SIGNED_LESS, (term, zero))


def _difference(sort: Sort, want: int, have: int, rng: Random) -> Difference:
    operator = rng.choice(("bvadd", "bvxor", "bvsub"))
    if operator == "bvxor":
        return Difference(operator, want ^ have)
    missing = want - have if operator == "bvadd" else have - want
    return Difference(operator, missing % (1 << width(sort)))


_BIT_VECTORS: Final = SortKind(
    "BitVec",
    indices=1,
    make=_sort,
    is_reserved=True,
    takes_any_indices=True,
    small_indices=((1,), (3,), (8,)),
    family="bitvectors",
    letter="b",
    literals=Literals(starts="#", token=_token, indexed=_indexed),
    has_literals=True,
    text=_text,
    shortest_text=_shortest_text,
    notation=Notation(write=_text, read=_read, draw=_drawn, special=_special, small=("0", "1")),
    corners=_corners,
    random=_random,
    uniform=_random,
    domain=_domain,
    smaller_values=smaller_numbers,
    simple_values=lambda sort: _corners(sort)[:2],
    smaller_sorts=_smaller_sorts,
    convert=_converted,
    regions=_regions,
    order=Order("bvult", "bvugt"),
    difference=_difference,
)

THEORY = Theory(
    "FixedSizeBitVectors",
    (_BIT_VECTORS,),
    (
        *_OPERATORS,
        *aliases(_OPERATORS, {"bv2nat": "ubv_to_int", "bv2int": "ubv_to_int", "int2bv": "int_to_bv"}),
        Operator(
            "mkbv",
            "FixedSizeBitVectors",
            rule=_make_bits,
            wants="Bool arguments",
            is_standard=False,
            meaning=lambda app, args: sum(bit << place for place, bit in enumerate(args)),
        ),
    ),
    (laws.LAWS,),
    adjective="bit-vector",
)
