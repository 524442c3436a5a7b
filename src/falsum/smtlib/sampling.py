"""Values of a sort: the simplest, the corner cases, random ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.domains import Domains
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.terms import Term, Value
from falsum.smtlib.theories import SORTS
from falsum.smtlib.theories.meanings import float_format, width
from falsum.smtlib.values import floats, regexes
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, Constructed, Element, normal
from falsum.smtlib.values.rounding import RoundingMode
from falsum.smtlib.walk import subterms

if TYPE_CHECKING:
    from random import Random

    from falsum.smtlib.models.model import Model
    from falsum.smtlib.scripts import Datatype

_WORDS: Final = ("", "0", "a", "-1", "00", "A", "ab", "\x00", '"', "\\u{41}", "\U0002ffff", "12", " ", "aa")
_LANGUAGES: Final = (
    regexes.NONE,
    regexes.ALL,
    regexes.ALLCHAR,
    regexes.literal(""),
    regexes.star(regexes.literal("ab")),
    regexes.comp(regexes.literal("a")),
)
_MOST_NESTED: Final = 8


def simplest(sort: Sort, model: Model, depth: int = 0) -> Any:
    """The simplest payload of a sort, or CannotSay if there is none to be had."""
    return _composed(sort, model, depth, lambda inner, deeper: simplest(inner, model, deeper), None)


def is_uninterpreted(sort: Sort, model: Model) -> bool:
    """Whether it is a declared sort, its values elements; a script may name one like a sort of a theory."""
    if sort.name in model.datatypes or sort.is_parameter:
        return False
    known = SORTS.get(sort.name)
    return known is None or (len(sort.indices), len(sort.args)) != (
        known[0],
        len(sort.args) if known[1] == -1 else known[1],
    )


def corners(sort: Sort) -> tuple[Hashable, ...]:
    """Values of a basic sort at which solvers go wrong, the simplest first; empty for other sorts."""
    maker = _CORNERS.get(sort.name)
    return maker(sort) if maker is not None and not sort.args else ()


def elements_of(sort: Sort, model: Model) -> tuple[Hashable, ...]:
    """The elements of a declared sort that are known to exist: listed, or used in a definition."""
    if sort in model.universes:
        return model.universes[sort]
    found: dict[Hashable, None] = {}
    definitions = [*model.definitions.values(), *(printed[1] for printed in model.named.values())]
    for definition in definitions:
        for term in subterms(definition.body):
            if isinstance(term, Value) and term.sort is sort and isinstance(term.payload, Element):
                found[term.payload] = None
    return tuple(found)


def candidates(sort: Sort, model: Model, body: Term) -> list[Any]:
    """Values worth trying for a bound variable: constants of the body, elements, corners, the simplest."""
    found: dict[Any, None] = {}
    if is_uninterpreted(sort, model):
        # Only what exists: nobody says that a model has further elements.
        return list(elements_of(sort, model)) or [simplest(sort, model)]
    for term in subterms(body):
        if isinstance(term, Value) and term.sort is sort and not isinstance(term.payload, CannotSay):
            found[term.payload] = None
            if len(found) > _MOST_NESTED:
                break
    found.update(dict.fromkeys(corners(sort)[:_MOST_NESTED]))
    first = simplest(sort, model)
    if not isinstance(first, CannotSay):
        found[first] = None
    return list(found)


def random_value(sort: Sort, model: Model, rng: Random, depth: int = 0) -> Any:
    """A random payload with a bias to corner cases, or CannotSay if there is none to be had."""
    basic = corners(sort)
    if basic:
        if rng.random() < 0.5:
            return rng.choice(basic)
        return _RANDOM[sort.name](sort, rng)
    return _composed(sort, model, depth, lambda inner, deeper: random_value(inner, model, rng, deeper), rng)


def _composed(
    sort: Sort,
    model: Model,
    depth: int,
    inner: Callable[[Sort, int], Any],
    rng: Random | None,
) -> Any:
    """A payload built from payloads of other sorts; `inner` makes those."""
    basic = corners(sort)
    if basic:
        return basic[0]
    universe = model.universes.get(sort)
    if universe:
        return rng.choice(universe) if rng is not None else universe[0]
    if sort.name == "RegLan":
        return regexes.NONE if rng is None else rng.choice(_LANGUAGES)
    if is_uninterpreted(sort, model):
        known = elements_of(sort, model)
        return known[0] if known else Element(f"@{sort.name}_0")
    if sort.name in model.datatypes:
        return _constructed(sort, model.datatypes[sort.name], model, depth, inner, rng)
    if sort.name == "Array":
        return _array(sort, model, depth, inner, rng)
    if sort.name in ("Seq", "Set", "Tuple", "UnitTuple"):
        return _collection(sort, depth, inner, rng)
    return CannotSay(f"no value of sort {sort} is known")


def _array(
    sort: Sort, model: Model, depth: int, inner: Callable[[Sort, int], Any], rng: Random | None
) -> Any:
    default = inner(sort.args[-1], depth + 1)
    if isinstance(default, CannotSay) or rng is None:
        return default if isinstance(default, CannotSay) else ArrayValue(default, {})
    domains = Domains(model.datatypes, model.universes)
    entries: dict[Hashable, Hashable] = {}
    for _ in range(rng.randrange(3) if depth < _MOST_NESTED else 0):
        index = [inner(arg, depth + 1) for arg in sort.args[:-1]]
        value = inner(sort.args[-1], depth + 1)
        if isinstance(value, CannotSay) or any(isinstance(i, CannotSay) for i in index):
            break
        entries[index[0] if len(index) == 1 else tuple(index)] = value
    return normal(default, entries, domains.of(sort.args[0]) if len(sort.args) == 2 else None)


def _collection(sort: Sort, depth: int, inner: Callable[[Sort, int], Any], rng: Random | None) -> Any:
    if sort.name in ("Tuple", "UnitTuple"):
        parts = [inner(arg, depth + 1) for arg in sort.args]
        return next((p for p in parts if isinstance(p, CannotSay)), tuple(parts))
    count = rng.randrange(4) if rng is not None and depth < _MOST_NESTED else 0
    parts = [inner(sort.args[0], depth + 1) for _ in range(count)]
    if any(isinstance(part, CannotSay) for part in parts):
        return CannotSay(f"no value of sort {sort} is known")
    return tuple(parts) if sort.name == "Seq" else frozenset(parts)


def _constructed(
    sort: Sort,
    datatype: Datatype,
    model: Model,
    depth: int,
    inner: Callable[[Sort, int], Any],
    rng: Random | None,
) -> Any:
    bindings: Bindings = {p.name: a for p, a in zip(datatype.params, sort.args, strict=False)}
    order = sorted(datatype.constructors, key=lambda c: _height(c.name, datatype, model))
    if rng is not None and depth < _MOST_NESTED:
        order = [rng.choice(order), *order]
    for name, selectors in order:
        if depth > 4 * _MOST_NESTED:
            break
        args = [inner(substitute(s, bindings), depth + 1) for _, s in selectors]
        if not any(isinstance(arg, CannotSay) for arg in args):
            return Constructed(name, tuple(args))
    return CannotSay(f"no value of sort {sort} is known")


def _height(constructor: str, datatype: Datatype, model: Model) -> tuple[int, int]:
    """How many levels of datatypes a constructor's simplest value needs: constants first."""
    heights = _heights(datatype, model)
    selectors = next(c.selectors for c in datatype.constructors if c.name == constructor)
    below = [heights.get(s.name, 0) for _, s in selectors]
    return max(below, default=-1), len(selectors)


def _heights(datatype: Datatype, model: Model) -> dict[str, int]:
    """The fewest levels a value of each datatype needs; an empty one needs very many."""
    heights = dict.fromkeys(model.datatypes, 1000)
    for _ in range(len(heights) + 1):
        for name, known in model.datatypes.items():
            for _, selectors in known.constructors:
                below = max((heights.get(s.name, 0) for _, s in selectors), default=-1)
                heights[name] = min(heights[name], below + 1)
    del datatype
    return heights


def _bit_corners(sort: Sort) -> tuple[Hashable, ...]:
    bits = width(sort)
    top = 1 << (bits - 1)
    return tuple(dict.fromkeys((0, 1, 2 * top - 1, top, top - 1, min(2, 2 * top - 1))))


def _float_corners(sort: Sort) -> tuple[Hashable, ...]:
    fmt = float_format(sort)
    infinity = floats.plus_infinity(fmt)
    one = floats.canonical(fmt, ((1 << (fmt.eb - 1)) - 1) << (fmt.sb - 1))
    some = (
        floats.plus_zero(fmt),
        floats.minus_zero(fmt),
        one,
        floats.nan(fmt),
        infinity,
        floats.minus_infinity(fmt),
        1,  # the smallest subnormal number
        (1 << (fmt.sb - 1)) - 1,  # the largest one
        1 << (fmt.sb - 1),  # the smallest normal number
        infinity - 1,  # the largest number
        floats.neg(fmt, one),
        floats.neg(fmt, 1),
    )
    return tuple(dict.fromkeys(some))


_REALS: Final = tuple(
    Fraction(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (1, 2), (-1, 3), (5, 2), (10**9, 7))
)
_CORNERS: Final[dict[str, Callable[[Sort], tuple[Hashable, ...]]]] = {
    "Bool": lambda _: (False, True),
    "Int": lambda _: (0, 1, -1, 2, -2, 7, 2**31, -(2**63), 10),
    "Real": lambda _: _REALS,
    "BitVec": _bit_corners,
    "RoundingMode": lambda _: tuple(RoundingMode),
    "FloatingPoint": _float_corners,
    "String": lambda _: _WORDS,
    "FiniteField": lambda sort: tuple(dict.fromkeys((0, 1, width(sort) - 1, width(sort) // 2))),
    "Char": lambda _: (0, 48, 97, 0x2FFFF),
}
_RANDOM: Final[dict[str, Callable[[Sort, Random], Any]]] = {
    "Bool": lambda _, rng: rng.random() < 0.5,
    "Int": lambda _, rng: rng.randint(-(2 ** rng.randrange(1, 40)), 2 ** rng.randrange(1, 40)),
    "Real": lambda _, rng: Fraction(rng.randint(-1000, 1000), rng.randint(1, 64)),
    "BitVec": lambda sort, rng: rng.getrandbits(width(sort)),
    "RoundingMode": lambda _, rng: rng.choice(list(RoundingMode)),
    "FloatingPoint": lambda sort, rng: floats.canonical(
        float_format(sort), rng.getrandbits(float_format(sort).width)
    ),
    "String": lambda _, rng: "".join(rng.choices("ab01A-\\u{} é\U0002ffff", k=rng.randrange(6))),
    "FiniteField": lambda sort, rng: rng.randrange(width(sort)),
    "Char": lambda _, rng: rng.randrange(0x30000),
}
