"""FindingFilter: which findings a list shows, in which order, page by page; read from a query string."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode

from falsum.app.pages.finding_index import FindingRow

PER_PAGE: Final = 50
OPEN: Final = "open"
_NO_THEORY: Final = ("none",)
_LONGEST_VALUE: Final = 200
_FIELDS: Final = ("kind", "defect", "product", "theory", "state", "group", "q")
_UNJUDGED: Final = "not judged yet"
# What a row must have for a value of a filter.
_VALUES: Final[dict[str, Callable[[FindingRow], Sequence[str]]]] = {
    "kind": lambda row: (row.kind,),
    "defect": lambda row: (row.defect or _UNJUDGED,),
    "product": lambda row: row.products,
    "theory": lambda row: row.theories or _NO_THEORY,
    "state": lambda row: (row.state, OPEN) if row.is_open else (row.state,),
    "group": lambda row: (row.group,),
}
_KEYS: Final[dict[str, Callable[[FindingRow], Any]]] = {
    "finding": lambda row: row.digest,
    "defect": lambda row: row.what,
    "product": lambda row: row.products,
    "state": lambda row: row.state,
    "group": lambda row: (-row.group_size, row.group),
    "seen": lambda row: -row.count,
    "first": lambda row: -row.first_seen,
    "last": lambda row: -row.last_seen,
    "size": lambda row: row.size,
}
# Columns that begin with what is most, or latest.
_LARGEST_FIRST: Final = frozenset({"group", "seen", "first", "last"})
_DEFAULT: Final = "last"


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """A filter and an order for lists of findings. An empty field lets everything pass; `sort` begins with a
    minus for the opposite order.
    """

    kind: str = ""
    defect: str = ""
    product: str = ""
    theory: str = ""
    state: str = ""
    group: str = ""
    q: str = ""
    sort: str = _DEFAULT
    page: int = 1

    @classmethod
    def read(cls, query: Mapping[str, str]) -> FindingFilter:
        """A filter read from a query string; invalid values are ignored."""
        values = {name: query.get(name, "")[:_LONGEST_VALUE].strip() for name in _FIELDS}
        sort, page = query.get("sort", _DEFAULT), query.get("page", "1")
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 7 else 1
        return cls(**values, sort=sort if sort.removeprefix("-") in _KEYS else _DEFAULT, page=max(1, number))

    def apply(self, rows: Sequence[FindingRow]) -> list[FindingRow]:
        """The rows that pass, in order."""
        matches = list(rows)
        for name, values in _VALUES.items():
            if value := getattr(self, name):
                matches = [row for row in matches if value in values(row)]
        if self.q:
            sought = self.q.lower()
            matches = [row for row in matches if sought in row.text]
        key = self.sort.removeprefix("-")
        if self.sort != _DEFAULT:  # the rows come so
            matches.sort(key=_KEYS[key], reverse=self.sort.startswith("-"))
        return matches

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, name) for name in _FIELDS)

    def query(self, **changes: Any) -> str:
        """The query string of this filter with some fields changed; other changes go to page 1."""
        new_filter = replace(self, **({"page": 1} | changes))
        values = {name: getattr(new_filter, name) for name in _FIELDS}
        fields = {name: value for name, value in values.items() if value}
        if new_filter.sort != _DEFAULT:
            fields["sort"] = new_filter.sort
        if new_filter.page > 1:
            fields["page"] = str(new_filter.page)
        return f"?{urlencode(fields, errors='replace')}" if fields else "?"

    def sorted_by(self, key: str) -> str:
        """The query string that sorts by a column, or turns its order around."""
        return self.query(sort=f"-{key}" if self.sort == key else key)

    def direction(self, key: str) -> str:
        """The sort direction of a column, as ARIA says it; "" if the list is not sorted by it."""
        if self.sort.removeprefix("-") != key:
            return ""
        return "descending" if self.sort.startswith("-") != (key in _LARGEST_FIRST) else "ascending"


def choices(rows: Sequence[FindingRow]) -> dict[str, list[tuple[str, int]]]:
    """The values that filters can have, each with its number of findings."""
    counts = {
        "kind": Counter(row.kind for row in rows),
        "defect": Counter(row.defect or _UNJUDGED for row in rows),
        "product": Counter(chain.from_iterable(row.products for row in rows)),
        "theory": Counter(chain.from_iterable(row.theories or _NO_THEORY for row in rows)),
        "state": Counter(row.state for row in rows),
    }
    counts["state"][OPEN] = sum(row.is_open for row in rows)
    return {name: sorted((value, n) for value, n in counter.items() if n) for name, counter in counts.items()}
