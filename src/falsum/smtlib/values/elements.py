"""Payloads of declared sorts, datatypes and arrays."""

from __future__ import annotations

from collections.abc import Hashable, Mapping


class Element:
    """An element of a declared sort, by its name in a model; distinct names are distinct elements.

    Elements are keys of tables and compared often: the hash is computed once.
    """

    __slots__ = ("_hash", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._hash = hash((Element, name))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Element) and self.name == other.name)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Element(name={self.name!r})"


class Constructed:
    """A datatype value: the constructor's name and the payloads of its arguments.

    Values may be nested deeply (a long list), so the hash is computed once, from those of the arguments, and
    equality does not recurse.
    """

    __slots__ = ("_hash", "args", "constructor")

    def __init__(self, constructor: str, args: tuple[Hashable, ...] = ()) -> None:
        self.constructor = constructor
        self.args = args
        self._hash = hash((constructor, args))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Constructed) or self._hash != other._hash:
            return False
        todo: list[tuple[object, object]] = [(self, other)]
        while todo:
            left, right = todo.pop()
            if left is right:
                continue
            if isinstance(left, Constructed) and isinstance(right, Constructed):
                if left._hash != right._hash or left.constructor != right.constructor:
                    return False
                todo.extend(zip(left.args, right.args, strict=True))
            elif left != right:
                return False
        return True

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        out: list[str] = []
        todo: list[object] = [self]
        while todo:
            item = todo.pop()
            if isinstance(item, Constructed):
                out.append(f"({item.constructor}")
                todo.append(_CLOSE)
                todo.extend(reversed(item.args))
            else:
                out.append(")" if item is _CLOSE else repr(item))
        return " ".join(out)


_CLOSE = object()


class ArrayValue:
    """An array: a default value, and entries that differ from it. Equal arrays are equal payloads.

    If the index sort has few values, any of the entries could be the default; it is then the value at the
    first index of the sort (see `normal` and `stored`).
    """

    __slots__ = ("_hash", "default", "entries")

    def __init__(self, default: Hashable, entries: Mapping[Hashable, Hashable]) -> None:
        self.default = default
        self.entries = {index: value for index, value in entries.items() if value != default}
        self._hash = _hash(default)
        for item in self.entries.items():
            self._hash ^= hash(item)

    def get(self, index: Hashable) -> Hashable:
        return self.entries.get(index, self.default)

    def stored(self, index: Hashable, value: Hashable, domain: tuple[Hashable, ...] | None) -> ArrayValue:
        """The array with another value at an index; copies the entries without comparing them."""
        old = self.entries.get(index, self.default)
        if old == value:
            return self
        if domain is not None and index == domain[0]:
            return normal(self.default, {**self.entries, index: value}, domain)
        entries, code = self.entries.copy(), self._hash
        if index in entries:
            code ^= hash((index, old))
            del entries[index]
        if value != self.default:
            code ^= hash((index, value))
            entries[index] = value
        new = ArrayValue.__new__(ArrayValue)
        new.default, new.entries, new._hash = self.default, entries, code  # noqa: SLF001 - of the same class
        return new

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, ArrayValue)
            and self._hash == other._hash
            and self.default == other.default
            and self.entries == other.entries
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"ArrayValue({self.default!r}, {self.entries!r})"


def _hash(default: Hashable) -> int:
    return hash((ArrayValue, default))


def normal(
    default: Hashable, entries: Mapping[Hashable, Hashable], domain: tuple[Hashable, ...] | None
) -> ArrayValue:
    """The array with this default and these entries; `domain` are all indices, if they are few."""
    if domain is not None:
        full = {index: entries.get(index, default) for index in domain}
        default, entries = full[domain[0]], full
    return ArrayValue(default, entries)
