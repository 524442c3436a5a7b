"""Finite domains: all values of a sort, where they are few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from falsum.smtlib.scripts import Datatype
from falsum.smtlib.sort_kinds import Domain
from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories import kind_of


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
            self._known[sort] = None  # found again by a recursive datatype, which is infinite
            self._known[sort] = self._compute(sort)
        return self._known[sort]

    def _compute(self, sort: Sort) -> Domain | None:
        if sort in self.universes:
            return self.universes[sort]
        kind = kind_of(sort, self.datatypes)
        return None if kind.domain is None else kind.domain(sort, self)

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
