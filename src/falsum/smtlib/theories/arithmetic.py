"""The theories Ints, Reals and Reals_Ints, which share operator names, and extensions of solvers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from falsum.smtlib.operators import Meaning, Operator, aliases, merged, table
from falsum.smtlib.sorts import BOOL, INT, Index, Sort
from falsum.smtlib.theories.arithmetic_sorts import kinds
from falsum.smtlib.theories.laws import arithmetic as laws
from falsum.smtlib.theories.meanings import chained, folded, numbers, plain
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values import computable, integers, reals
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.smtlib.terms import App


def _over(on_ints: Callable[[Any, Any], object], on_reals: Callable[[Any, Any], object]) -> Meaning:
    """The meaning of an operator that exists for both sorts."""
    ints, real_numbers = folded(on_ints), folded(on_reals)

    def meaning(app: App, args: Sequence[Any]) -> object:
        if len(args) == 2:  # most applications
            return (on_ints if app.sort is INT else on_reals)(args[0], args[1])
        return (ints if app.sort is INT else real_numbers)(app, args)

    return meaning


def _minus(app: App, args: Sequence[Any]) -> object:
    if len(args) == 1:
        return integers.neg(args[0]) if app.sort is INT else reals.neg(args[0])
    return _DIFFERENCE(app, args)


_DIFFERENCE = _over(integers.sub, reals.sub)


def abs_(x: Any) -> object:
    return integers.abs_(x) if isinstance(x, int) else reals.abs_(x)


_STANDARD = table(
    "Arithmetic",
    """
    (- Int Int) (- Real Real)
    (- Int Int Int :left-assoc) (- Real Real Real :left-assoc)
    (+ Int Int Int :left-assoc) (+ Real Real Real :left-assoc)
    (* Int Int Int :left-assoc) (* Real Real Real :left-assoc)
    (/ Real Real Real :left-assoc)
    (div Int Int Int :left-assoc)
    (mod Int Int Int)
    (abs Int Int)
    (** Int Int Int)
    (<= Int Int Bool :chainable) (<= Real Real Bool :chainable)
    (< Int Int Bool :chainable) (< Real Real Bool :chainable)
    (>= Int Int Bool :chainable) (>= Real Real Bool :chainable)
    (> Int Int Bool :chainable) (> Real Real Bool :chainable)
    ((_ divisible n) Int Bool :where (< 0 n))
    (to_real Int Real)
    (to_int Real Int)
    (is_int Real Bool)
    """,
    {
        "-": _minus,
        "+": _over(integers.add, reals.add),
        "*": _over(integers.mul, reals.mul),
        "/": folded(reals.div),
        "div": folded(integers.div),
        "mod": plain(integers.mod),
        "abs": plain(abs_),
        "**": plain(integers.power),
        "<=": chained(reals.leq),
        "<": chained(reals.lt),
        ">=": chained(reals.geq),
        ">": chained(reals.gt),
        "divisible": lambda app, args: integers.divisible(numbers(app)[0], args[0]),
        "to_real": plain(reals.to_real),
        "to_int": plain(reals.to_int),
        "is_int": plain(reals.is_int),
    },
)


def _caret(app: App, args: Sequence[Any]) -> object:
    """z3's power; on reals, only integer exponents are computed."""
    base, exponent = args
    if app.sort is INT:
        # A negative power is a fraction to z3 and something else to cvc5.
        return integers.power(base, exponent) if exponent > 0 or (base and exponent == 0) else None
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return reals.power(base, int(exponent))
    return CannotSay("a power with an exponent that is not an integer")


def _rem(dividend: int, divisor: int) -> object:
    """z3's `rem`: like `mod`, but negative for a negative divisor."""
    remainder = integers.mod(dividend, divisor)
    return -remainder if isinstance(remainder, int) and divisor < 0 else remainder


# z3 alone has them, and takes them for uninterpreted functions.
_HYPERBOLIC = ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
_OPEN = CannotSay("a hyperbolic function")

_EXTENSIONS = table(
    "Arithmetic",
    """
    (^ Int Int Int) (^ Real Real Real)
    (rem Int Int Int)
    (div0 Int Int) (div0 Int Int Int) (mod0 Int Int) (mod0 Int Int Int) (rem0 Int Int) (rem0 Int Int Int)
    (/0 Real Real) (/0 Real Real Real)
    (div_total Int Int Int) (mod_total Int Int Int) (/_total Real Real Real)
    (int.pow2 Int Int) (int.log2 Int Int) (int.ispow2 Int Bool)
    ((_ iand k) Int Int Int :where (< 0 k)) (piand Int Int Int Int)
    (band Int Int Int Int)
    (real.pi Real)
    (exp Real Real) (sin Real Real) (cos Real Real) (tan Real Real)
    (csc Real Real) (sec Real Real) (cot Real Real)
    (arcsin Real Real) (arccos Real Real) (arctan Real Real)
    (arccsc Real Real) (arcsec Real Real) (arccot Real Real)
    (sqrt Real Real)
    (pi Real) (euler Real)
    (asin Real Real) (acos Real Real) (atan Real Real)
    (sinh Real Real) (cosh Real Real) (tanh Real Real)
    (asinh Real Real) (acosh Real Real) (atanh Real Real)
    """,
    {
        "^": _caret,
        "rem": lambda app, args: _rem(*args),
        "int.ispow2": lambda app, args: args[0] > 0 and args[0] & (args[0] - 1) == 0,
        "int.pow2": plain(integers.pow2),
        "int.log2": plain(integers.log2),
        "iand": lambda app, args: integers.iand(numbers(app)[0], *args),
        "piand": lambda app, args: integers.iand(args[0], *args[1:]) if args[0] > 0 else 0,
        "div_total": lambda app, args: 0 if args[1] == 0 else integers.div(*args),
        "mod_total": lambda app, args: args[0] if args[1] == 0 else integers.mod(*args),
        "real.pi": lambda app, args: computable.PI,
        "pi": lambda app, args: computable.PI,
        "euler": lambda app, args: computable.E,
        "exp": plain(computable.exp),
        "sqrt": plain(computable.sqrt),
        "sin": plain(computable.sin),
        "cos": plain(computable.cos),
        "tan": plain(computable.tan),
        "csc": plain(computable.one_over(computable.sin)),
        "sec": plain(computable.one_over(computable.cos)),
        "cot": plain(computable.cot),
        **dict.fromkeys(("arcsin", "asin"), plain(computable.arcsin)),
        **dict.fromkeys(("arccos", "acos"), plain(computable.arccos)),
        **dict.fromkeys(("arctan", "atan"), plain(computable.arctan)),
        "arccsc": plain(computable.of_reciprocal(computable.arcsin)),
        "arcsec": plain(computable.of_reciprocal(computable.arccos)),
        "arccot": plain(computable.arccot),
        **dict.fromkeys(_HYPERBOLIC, lambda app, args: _OPEN),
        "/_total": lambda app, args: reals.to_real(0) if args[1] == 0 else reals.div(*args),
    },
    is_standard=False,
)


def _same_sort(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return BOOL if len(sorts) == 2 and sorts[0] is sorts[1] and len(indices) == 1 else None


# z3 and cvc5 accept these as well; `to_real` of a real is that real.
_LENIENT = table("Arithmetic", "(abs Real Real) (to_real Real Real)", is_standard=False)
_OPERATORS = merged([*_STANDARD, *_EXTENSIONS], _LENIENT)
_BY_NAME = {operator.name: operator for operator in _OPERATORS}

# Conversions that solvers insert implicitly: never printed.
IMPLICIT_TO_REAL = replace(
    _BY_NAME["to_real"], is_standard=False, alias_of=_BY_NAME["to_real"], is_implicit=True
)
IMPLICIT_TO_INT = replace(
    _BY_NAME["to_int"], is_standard=False, alias_of=_BY_NAME["to_int"], is_implicit=True
)

# z3's special relations, such as ((_ partial-order 0) x y).
_RELATIONS = [
    Operator(name, "Arithmetic", rule=_same_sort, wants="two arguments of the same sort", is_standard=False)
    for name in ("linear-order", "partial-order", "tree-order", "piecewise-linear-order")
] + [
    Operator(
        "transitive-closure",
        "Arithmetic",
        rule=_same_sort,
        wants="two arguments of the same sort",
        is_standard=False,
    )
]


def _pseudo_boolean(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    numbers = all(isinstance(index, int) for index in indices)
    return BOOL if numbers and all(sort is BOOL for sort in sorts) else None


def _weighted(name: str) -> Meaning:
    """`(_ at-most k)` counts true arguments; `(_ pble k c …)` adds the coefficients of true arguments."""

    def meaning(app: App, args: Sequence[Any]) -> object:
        bound, *weights = numbers(app)
        weights = weights if name.startswith("pb") else [1] * len(args)
        total = sum(weight for weight, arg in zip(weights, args, strict=False) if arg)
        if name in ("at-most", "pble"):
            return total <= bound
        return total == bound if name == "pbeq" else total >= bound

    return meaning


_PSEUDO_BOOLEAN = [
    Operator(
        name,
        "Arithmetic",
        rule=_pseudo_boolean,
        wants="Bool arguments",
        is_standard=False,
        meaning=_weighted(name),
    )
    for name in ("at-most", "at-least", "pble", "pbge", "pbeq")
]

THEORY = Theory(
    "Arithmetic",
    kinds(_BY_NAME),
    (
        *_OPERATORS,
        *aliases(_OPERATORS, {"pow2": "int.pow2", "~": "-"}),
        *_RELATIONS,
        *_PSEUDO_BOOLEAN,
    ),
    (laws.LAWS,),
)
