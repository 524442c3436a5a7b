"""The actions that make sorts of theories, and declared ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Final

from falsum.api.actions.action import Action, Call, Purpose
from falsum.api.model.mirror import DECLARED, Mirror
from falsum.api.model.random_terms import draw_format
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import DeclareSort
from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories import SORTS, kind_of

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities

_SMALL_WIDTHS: Final = (1, 2, 3, 4, 8, 16)
_COMMON_WIDTHS: Final = (1, 2, 3, 4, 8, 8, 16, 32, 64)


class SortAction(Action):
    """`s3 = sort Array s1 s2`: a name, numbers, sorts."""

    name = word = "sort"
    call = Call("sort", "word shape", "sort")
    purpose = Purpose.MAKER
    min_args = 1
    result_count = 1

    def is_ready(self, mirror: Mirror) -> bool:
        return len(mirror.sorts) < mirror.bounds.sorts or bool(mirror.missing_sorts())

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        missing = mirror.missing_sorts()
        # However many sorts there are, the run needs one of every kind.
        only_missing = bool(missing) and (len(mirror.sorts) >= mirror.bounds.sorts or rng.random() < 0.7)
        name = rng.choice(missing if only_missing else mirror.first_class_sorts)
        args = self._args(name, mirror, rng)
        if args is None or any(sort is _read_sort(mirror, name, args) for sort in mirror.sorts.values()):
            return None
        return Line(self.word, (name, *args), (mirror.next_sort(),), rng.randrange(1, 100))

    def _args(self, name: str, mirror: Mirror, rng: Random) -> tuple[str, ...] | None:
        if name == "BitVec":
            widths = [width for width in _COMMON_WIDTHS if width <= mirror.bounds.width]
            if "floats" in mirror.theories:  # of a float and its parts
                exponent, significand = draw_format(mirror, rng)
                widths += (1, exponent, significand - 1, exponent + significand) * 2
            width = rng.choice(widths) if rng.random() < 0.75 else rng.randint(1, mirror.bounds.width)
            return (str(width),)
        if name == "FloatingPoint":
            return tuple(map(str, draw_format(mirror, rng)))
        if SORTS[name].indices:
            return tuple(map(str, rng.choice(SORTS[name].small_indices)))
        if not SORTS[name].arity:
            return ()
        holds_arrays = mirror.has("nested-arrays") or (name == "->" and not mirror.has("flat-functions"))
        parts = [
            key
            for key, sort in mirror.sorts.items()
            if kind_of(sort).may_be_declared and (holds_arrays or sort.name != "Array")
        ]
        if not parts:
            return None
        if name == "Array":
            as_index = [p for p in parts if mirror.has("array-indices") or mirror.sorts[p].name != "Array"]
            return (rng.choice(as_index), rng.choice(parts)) if as_index else None
        if name in ("Set", "Bag"):  # sets and bags of tuples are relations and tables
            rows = [part for part in parts if mirror.sorts[part].name == "Tuple"]
            return (rng.choice(rows if rows and rng.random() < 0.6 else parts),)
        if name == "Tuple":
            return tuple(rng.choice(parts[:3]) for _ in range(rng.randint(1, 3)))
        count = SORTS[name].arity if SORTS[name].arity > 0 else rng.randint(2, 4)
        return tuple(rng.choice(parts) for _ in range(count))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        sort = _read_sort(mirror, line.args[0], line.args[1:])
        if not mirror.has_sort(sort):
            raise UsageError(f"{mirror.capabilities.product} does not have the sort {sort}")
        mirror.add_sort(line.results[0], sort)

    def is_supported(self, line: Line, capabilities: Capabilities) -> bool:
        return line.args[0] in capabilities.sorts

    def simpler(self, line: Line, mirror: Mirror) -> Iterator[Line]:
        """Narrower bit-vectors and floats."""
        name, *numbers = line.args
        if name == "BitVec":
            narrower: list[tuple[int, ...]] = [(width,) for width in _SMALL_WIDTHS if width < int(numbers[0])]
        elif name == "FloatingPoint":
            narrower = [each for each in mirror.float_formats if sum(each) < sum(map(int, numbers))]
        else:
            narrower = []
        yield from (line._replace(args=(name, *map(str, each))) for each in narrower)
        yield from super().simpler(line, mirror)


def _read_sort(mirror: Mirror, name: str, args: tuple[str, ...]) -> Sort:
    indices = tuple(int(word) for word in args if word.isdigit())
    parts = tuple(mirror.sort(word) for word in args if not word.isdigit())
    sort = Sort(name, indices, parts)
    if name not in SORTS or not SORTS[name].fits(sort):
        raise UsageError(f"unknown sort {' '.join((name, *args))}")
    return sort


class DeclareSortAction(Action):
    """`s2 = declare-sort U!s2`: an uninterpreted sort."""

    name = word = "declare-sort"
    call = Call("declare_sort", "word", "sort")
    feature = "declared-sorts"
    purpose = Purpose.MAKER
    min_args = 1
    result_count = 1

    def is_ready(self, mirror: Mirror) -> bool:
        is_due = super().is_ready(mirror) and "uf" in mirror.theories
        return is_due and len(mirror.sorts) < mirror.bounds.sorts

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        name = mirror.next_sort()
        return Line(self.word, (f"{DECLARED}{name}",), (name,))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if not line.args[0].startswith(DECLARED):
            raise UsageError(f"the name of a declared sort must begin with {DECLARED}")
        mirror.add_sort(line.results[0], Sort(line.args[0]))
        mirror.declarations.append(DeclareSort(line.args[0], 0))
