"""Payloads made of other payloads: elements of declared sorts, datatype values, arrays."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an uninterpreted sort, as a model names it; distinct names are distinct elements."""

    name: str


@dataclass(frozen=True, slots=True)
class Constructed:
    """A datatype value: the constructor's name and the payloads of its arguments."""

    constructor: str
    args: tuple[Hashable, ...] = ()


class ArrayValue:
    """An array: a default and what differs from it. Equal arrays are equal values.

    No entry equals the default. Over a small finite index sort the table is completed and the default is the
    value at the first index of the sort (see `normal`), since one array has several defaults there.
    """

    __slots__ = ("_hash", "default", "entries")

    def __init__(self, default: Hashable, entries: Mapping[Hashable, Hashable]) -> None:
        self.default = default
        self.entries = {index: value for index, value in entries.items() if value != default}
        self._hash = hash((default, frozenset(self.entries.items())))

    def get(self, index: Hashable) -> Hashable:
        return self.entries.get(index, self.default)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ArrayValue)
            and self._hash == other._hash
            and self.default == other.default
            and self.entries == other.entries
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"ArrayValue({self.default!r}, {self.entries!r})"


def normal(
    default: Hashable, entries: Mapping[Hashable, Hashable], domain: tuple[Hashable, ...] | None
) -> ArrayValue:
    """The array with this default and these entries; `domain` lists a small finite index sort."""
    if domain is not None:
        full = {index: entries.get(index, default) for index in domain}
        default, entries = full[domain[0]], full
    return ArrayValue(default, entries)
