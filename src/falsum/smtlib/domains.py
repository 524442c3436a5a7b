"""Finite domains: all values of a sort, where they are few."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import product

from falsum.smtlib.scripts import Datatype
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.theories.meanings import float_format, width
from falsum.smtlib.values import floats
from falsum.smtlib.values.elements import Constructed, normal
from falsum.smtlib.values.rounding import RoundingMode

Domain = tuple[Hashable, ...]


class Domains:
    """The finite domains of one model, each computed once."""

    def __init__(
        self, datatypes: Mapping[str, Datatype], universes: Mapping[Sort, Domain], limit: int = 4096
    ) -> None:
        self.datatypes = datatypes
        self.universes = universes
        self.limit = limit
        self._known: dict[Sort, Domain | None] = {}

    def of(self, sort: Sort) -> Domain | None:
        """All payloads of the sort in a fixed order, or None if there are infinitely or too many."""
        if sort not in self._known:
            self._known[sort] = None  # a recursive datatype meets itself here: it is infinite
            self._known[sort] = self._compute(sort)
        return self._known[sort]

    def _compute(self, sort: Sort) -> Domain | None:
        if sort in self.universes:
            return self.universes[sort]
        if sort.name in self.datatypes:
            return self._constructed(sort, self.datatypes[sort.name])
        maker = _MAKERS.get(sort.name)
        if maker is not None and not sort.args:
            return maker(sort, self.limit)
        if sort.name == "Array" and len(sort.args) == 2:
            return self._arrays(sort)
        if sort.name == "Tuple":
            return self._products(sort.args)
        return None

    def _products(self, sorts: tuple[Sort, ...]) -> Domain | None:
        domains = []
        count = 1
        for sort in sorts:
            domain = self.of(sort)
            if domain is None:
                return None
            count *= len(domain)
            if count > self.limit:
                return None
            domains.append(domain)
        return tuple(product(*domains))

    def _constructed(self, sort: Sort, datatype: Datatype) -> Domain | None:
        bindings: Bindings = {p.name: a for p, a in zip(datatype.params, sort.args, strict=False)}
        out: list[Hashable] = []
        for name, selectors in datatype.constructors:
            rows = self._products(tuple(substitute(s, bindings) for _, s in selectors))
            if rows is None:
                return None
            out.extend(Constructed(name, row) for row in rows if isinstance(row, tuple))
        return tuple(out) if len(out) <= self.limit else None

    def _arrays(self, sort: Sort) -> Domain | None:
        indices, values = self.of(sort.args[0]), self.of(sort.args[1])
        if indices is None or values is None or len(values) ** len(indices) > self.limit:
            return None
        rows = product(values, repeat=len(indices))
        return tuple(normal(row[0], dict(zip(indices, row, strict=True)), indices) for row in rows)


def _booleans(sort: Sort, limit: int) -> Domain | None:
    del sort, limit
    return (False, True)


def _modes(sort: Sort, limit: int) -> Domain | None:
    del sort, limit
    return tuple(RoundingMode)


def _bits(sort: Sort, limit: int) -> Domain | None:
    return tuple(range(1 << width(sort))) if width(sort) <= limit.bit_length() - 1 else None


def _field(sort: Sort, limit: int) -> Domain | None:
    return tuple(range(width(sort))) if width(sort) <= limit else None


def _floats(sort: Sort, limit: int) -> Domain | None:
    fmt = float_format(sort)
    if fmt.width > limit.bit_length() - 1:
        return None
    return tuple(sorted({floats.canonical(fmt, bits) for bits in range(1 << fmt.width)}))


def _unit(sort: Sort, limit: int) -> Domain | None:
    del sort, limit
    return ((),)


_MAKERS: dict[str, Callable[[Sort, int], Domain | None]] = {
    "Bool": _booleans,
    "RoundingMode": _modes,
    "BitVec": _bits,
    "FiniteField": _field,
    "FloatingPoint": _floats,
    "UnitTuple": _unit,
}
