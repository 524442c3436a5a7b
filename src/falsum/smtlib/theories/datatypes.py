"""The kind of declared datatypes, whose values are constructors applied to values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from falsum.smtlib.scripts import Constructor, Datatype
from falsum.smtlib.sort_kinds import Domain, FiniteDomains, Parts, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.terms import Function, Head, Term, app
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Constructed

# Constructors are drawn at random down to the first depth; values are nested at most to the second.
_SHALLOW: Final = 8
_DEEPEST: Final = 32
# The number of levels of a datatype without values.
_EMPTY: Final = 1000


def _fields(sort: Sort, datatype: Datatype, constructor: Constructor) -> tuple[Sort, ...]:
    """The sorts of a constructor's arguments in this instance of the datatype."""
    bindings: Bindings = {p.name: a for p, a in zip(datatype.params, sort.args, strict=False)}
    return tuple(substitute(s, bindings) for _, s in constructor.selectors)


def _term(sort: Sort, payload: Payload, writer: TermWriter) -> Term | None:
    if not isinstance(payload, Constructed):
        return None
    datatype = writer.datatypes[sort.name]
    constructor = next(c for c in datatype.constructors if c.name == payload.constructor)
    args = writer.terms(_fields(sort, datatype, constructor), payload.args)
    if args is None:
        return None
    sorts = tuple(s for _, s in constructor.selectors)
    symbol = Function(payload.constructor, sorts, datatype.sort, datatype.params, "constructor")
    return app(Head(symbol, (), sort if datatype.params else None), args)


def _compose(sort: Sort, parts: Parts) -> Payload:
    datatype = parts.datatypes[sort.name]
    if parts.levels is None:
        parts.levels = _levels(parts.datatypes)
    levels = parts.levels
    if levels[sort.name] >= _EMPTY:
        return CannotSay(f"no finite value of sort {sort} is known")
    order = sorted(datatype.constructors, key=lambda c: (_below(c, levels), len(c.selectors)))
    if parts.rng is not None and parts.depth < _SHALLOW and not parts.is_large:
        order = [parts.rng.choice(order), *order]
    for constructor in order:
        if parts.depth > _DEEPEST:
            break
        args = [parts.value(field) for field in _fields(sort, datatype, constructor)]
        if not any(isinstance(arg, CannotSay) for arg in args):
            return Constructed(constructor.name, tuple(args))
    return CannotSay(f"no value of sort {sort} is known")


def _below(constructor: Constructor, levels: Mapping[str, int]) -> int:
    """The least number of levels of datatypes in the arguments; -1 for a constant."""
    return max((levels.get(s.name, 0) for _, s in constructor.selectors), default=-1)


def _levels(datatypes: Mapping[str, Datatype]) -> dict[str, int]:
    """The least number of levels that a value of each datatype has."""
    levels = dict.fromkeys(datatypes, _EMPTY)
    for _ in range(len(levels) + 1):
        for name, datatype in datatypes.items():
            for constructor in datatype.constructors:
                levels[name] = min(levels[name], _below(constructor, levels) + 1)
    return levels


def _domain(sort: Sort, domains: FiniteDomains) -> Domain | None:
    datatype = domains.datatypes[sort.name]
    out: list[Constructed] = []
    for constructor in datatype.constructors:
        rows = domains.product(_fields(sort, datatype, constructor))
        if rows is None:
            return None
        out.extend(Constructed(constructor.name, row) for row in rows if isinstance(row, tuple))
    return tuple(out) if len(out) <= domains.limit else None


DATATYPE: Final = SortKind("datatype", arity=-1, term=_term, compose=_compose, domain=_domain)
