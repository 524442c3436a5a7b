"""Finite domains: all values of a sort, where they are few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from falsum.smtlib.scripts import Datatype
from falsum.smtlib.sort_kinds import Domain
from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories import kind_of
from falsum.smtlib.theories.declared import DECLARED


class Domains:
    """The finite domains of one model, each computed once."""

    def __init__(
        self,
        datatypes: Mapping[str, Datatype],
        universes: Mapping[Sort, Domain],
        limit: int = 4096,
        *,
        is_cautious: bool = False,
    ) -> None:
        self.datatypes = datatypes
        self.universes = universes
        self.limit = limit
        # Whether nothing is assumed of declared sorts without a universe; otherwise they have many elements.
        self.is_cautious = is_cautious
        # Whether a declared sort without a universe was asked for.
        self.met_unsized = False
        # Whether `set.universe` was asked for, and whether it has all elements of its sort.
        self.met_universe = False
        self.has_full_universes = False
        self._unsized: dict[Sort, bool] = {}
        self._known: dict[Sort, Domain | None] = {}

    def of(self, sort: Sort) -> Domain | None:
        """All payloads of the sort in a fixed order, or None if there are infinitely or too many."""
        if sort not in self._known:
            self._known[sort] = None  # found again by a recursive datatype, which is infinite
            self._known[sort] = self._compute(sort)
        return self._known[sort]

    def _compute(self, sort: Sort) -> Domain | None:
        if sort in self.universes:
            return self.universes[sort]
        kind = kind_of(sort, self.datatypes)
        if kind is DECLARED:
            self.met_unsized = True
        return None if kind.domain is None else kind.domain(sort, self)

    def is_unsized(self, sort: Sort) -> bool:
        """Whether the number of values depends on a declared sort whose size is unknown."""
        if not self.is_cautious:
            return False
        if sort not in self._unsized:
            self._unsized[sort] = False  # while its parts are looked at
            self._unsized[sort] = self._mentions_unsized(sort)
        return self._unsized[sort]

    def _mentions_unsized(self, sort: Sort) -> bool:
        if sort in self.universes:
            return False
        if kind_of(sort, self.datatypes) is DECLARED or any(map(self.is_unsized, sort.args)):
            return True
        datatype = self.datatypes.get(sort.name)
        fields = [field for c in datatype.constructors for _, field in c.selectors] if datatype else []
        return any(self.is_unsized(field) for field in fields if not field.is_pattern)

    def product(self, sorts: Sequence[Sort]) -> Domain | None:
        """All tuples of payloads of these sorts."""
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
