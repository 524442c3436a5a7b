"""Regular languages as shared, immutable expressions."""

from __future__ import annotations

from enum import Enum
from itertools import count, pairwise
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_CODE = 0x2FFFF

Ranges = tuple[tuple[int, int], ...]


class RegexKind(Enum):
    """The kinds of nodes; all other operators are expressed by these."""

    EPSILON = "epsilon"
    CHARS = "chars"
    CONCAT = "concat"
    UNION = "union"
    INTER = "inter"
    COMP = "comp"
    LOOP = "loop"

    # Members are unique objects, and the hash of Enum is slow.
    __hash__ = object.__hash__


class Regex:
    """A regular language; nodes of the same shape are the same object.

    CHARS has `ranges`, sorted and disjoint; LOOP has `low` and `high` (None: no limit); CONCAT has two parts.
    Only the functions of this module make nodes. Different nodes may denote the same language, which
    `derivatives.equivalent` decides.
    """

    __slots__ = ("__weakref__", "high", "kind", "low", "nullable", "parts", "ranges", "serial")

    kind: RegexKind
    parts: tuple[Regex, ...]
    ranges: Ranges
    low: int
    high: int | None
    nullable: bool
    serial: int


def union(*regexes: Regex) -> Regex:
    """The union of languages, without duplicates and in a fixed order; nested unions stay nested (see
    `flatten`).
    """
    members: dict[Regex, None] = {}
    ranges: list[tuple[int, int]] = []
    for regex in regexes:
        if regex is ALL:
            return ALL
        if regex.kind is RegexKind.CHARS:
            ranges += regex.ranges
        else:
            members[regex] = None
    if ranges:
        members[chars(ranges)] = None
    if EPSILON in members and sum(regex.nullable for regex in members) > 1:
        del members[EPSILON]
    if not members:
        return NONE
    if len(members) == 1:
        return next(iter(members))
    return _node(RegexKind.UNION, tuple(sorted(members, key=_serial)))


def inter(*regexes: Regex) -> Regex:
    """The intersection of languages, as `union`."""
    members: dict[Regex, None] = {}
    ranges: Ranges | None = None
    for regex in regexes:
        if regex.kind is RegexKind.CHARS:
            ranges = regex.ranges if ranges is None else _common(ranges, regex.ranges)
        elif regex is not ALL:
            members[regex] = None
    if EPSILON in members:
        return EPSILON if ranges is None and all(r.nullable for r in members) else NONE
    if ranges is not None:
        if not ranges:
            return NONE
        members[chars(ranges)] = None
    if not members:
        return ALL
    if len(members) == 1:
        return next(iter(members))
    return _node(RegexKind.INTER, tuple(sorted(members, key=_serial)))


def concat(*regexes: Regex) -> Regex:
    result = EPSILON
    for regex in reversed(regexes):
        if regex is NONE or result is NONE:
            return NONE
        if result is EPSILON:
            result = regex
        elif regex is not EPSILON and not (regex is ALL is result):
            result = _node(RegexKind.CONCAT, (regex, result))
    return result


def comp(regex: Regex) -> Regex:
    if regex.kind is RegexKind.COMP:
        return regex.parts[0]
    return _node(RegexKind.COMP, (regex,))


def diff(regex: Regex, *others: Regex) -> Regex:
    return inter(regex, *(comp(other) for other in others))


def loop(regex: Regex, low: int, high: int | None) -> Regex:
    """`((_ re.loop low high) regex)`; without `high` there is no upper limit."""
    if high is not None and high < low:
        return NONE
    if high == 0 or regex is EPSILON:
        return EPSILON
    if regex is NONE:
        return NONE if low else EPSILON
    if regex.nullable:
        low = 0
        if regex.kind is RegexKind.UNION and EPSILON in regex.parts:
            regex = union(*(part for part in regex.parts if part is not EPSILON))
    if (low, high) == (1, 1) or regex is ALL or _is_star(regex):
        return regex
    if regex is ALLCHAR and high is None and low == 0:
        return ALL
    if (low, high) == (0, 1):
        return union(EPSILON, regex)
    return _node(RegexKind.LOOP, (regex,), low=low, high=high)


def star(regex: Regex) -> Regex:
    return loop(regex, 0, None)


def plus(regex: Regex) -> Regex:
    return loop(regex, 1, None)


def opt(regex: Regex) -> Regex:
    return union(EPSILON, regex)


def reverse(regex: Regex) -> Regex:
    """The language of the reversed words."""
    reversals: dict[Regex, Regex] = {}
    todo = [regex]
    while todo:
        node = todo[-1]
        missing = [part for part in node.parts if part not in reversals]
        if missing:
            todo += missing
            continue
        todo.pop()
        parts = [reversals[part] for part in node.parts]
        if node.kind is RegexKind.CONCAT:
            reversals[node] = concat(*reversed(parts))
        elif node.kind is RegexKind.LOOP:
            reversals[node] = loop(parts[0], node.low, node.high)
        elif node.kind in _OF_SAME_ORDER:
            reversals[node] = _OF_SAME_ORDER[node.kind](*parts)
        else:
            reversals[node] = node
    return reversals[regex]


def power(regex: Regex, times: int) -> Regex:
    """`((_ re.^ times) regex)`."""
    return loop(regex, times, times)


def literal(word: str) -> Regex:
    """`(str.to_re word)`."""
    result = EPSILON
    for char in reversed(word):
        code = ord(char)
        result = concat(chars(((code, code),)), result)
    return result


def range_(first: str, last: str) -> Regex:
    """`(re.range first last)`: empty unless both are single characters and in order."""
    if len(first) != 1 or len(last) != 1 or first > last:
        return NONE
    return chars(((ord(first), ord(last)),))


def chars(ranges: Iterable[tuple[int, int]]) -> Regex:
    """The characters in the ranges, bounds included."""
    merged_ranges: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged_ranges and low <= merged_ranges[-1][1] + 1:
            merged_ranges[-1] = (merged_ranges[-1][0], max(high, merged_ranges[-1][1]))
        else:
            merged_ranges.append((low, high))
    return _node(RegexKind.CHARS, (), ranges=tuple(merged_ranges))


def flatten(kind: RegexKind, regexes: Iterable[Regex]) -> list[Regex]:
    """The members of nested unions (or intersections), without duplicates."""
    members: dict[Regex, None] = {}
    stack = list(regexes)
    opened: set[Regex] = set()
    while stack:
        regex = stack.pop()
        if regex.kind is not kind:
            members[regex] = None
        elif regex not in opened:
            opened.add(regex)
            stack += regex.parts
    return list(members)


def _common(left: Ranges, right: Ranges) -> Ranges:
    cuts = sorted({end for low, high in (*left, *right) for end in (low, high + 1)})
    return tuple((low, high - 1) for low, high in pairwise(cuts) if _has(left, low) and _has(right, low))


def _has(ranges: Ranges, code: int) -> bool:
    return any(low <= code <= high for low, high in ranges)


def _is_star(regex: Regex) -> bool:
    return regex.kind is RegexKind.LOOP and regex.low == 0 and regex.high is None


def _serial(regex: Regex) -> int:
    return regex.serial


_Key = tuple[RegexKind, tuple[Regex, ...], Ranges, int, "int | None"]
# Weak references: a campaign must not keep every language it has seen.
_nodes: WeakValueDictionary[_Key, Regex] = WeakValueDictionary()
_serials = count()


def _node(
    kind: RegexKind, parts: tuple[Regex, ...], ranges: Ranges = (), low: int = 0, high: int | None = 0
) -> Regex:
    key = (kind, parts, ranges, low, high)
    node = _nodes.get(key)
    if node is None:
        node = Regex()
        node.kind, node.parts, node.ranges, node.low, node.high = key
        node.serial = next(_serials)
        node.nullable = _nullable(node)
        _nodes[key] = node
    return node


def _nullable(node: Regex) -> bool:
    if node.kind is RegexKind.CHARS:
        return False
    if node.kind is RegexKind.UNION:
        return any(part.nullable for part in node.parts)
    if node.kind is RegexKind.COMP:
        return not node.parts[0].nullable
    if node.kind is RegexKind.LOOP:
        return node.low == 0
    return all(part.nullable for part in node.parts)


NONE = chars(())
EPSILON = _node(RegexKind.EPSILON, ())
ALLCHAR = chars(((0, MAX_CODE),))
ALL = comp(NONE)

# Operators that the order of letters does not matter to.
_OF_SAME_ORDER: dict[RegexKind, Callable[..., Regex]] = {
    RegexKind.UNION: union,
    RegexKind.INTER: inter,
    RegexKind.COMP: comp,
}
