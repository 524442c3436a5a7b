"""Mirror: our own picture of what a library has been told, in falsum's own sorts and terms.

Every action draws from it and writes into it; checks ask it what is in force. It is changed by lines and
replies alone (`Action.apply`), so a replayed trace rebuilds it exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from falsum.api.model.theories import SORTS_OF, operators_in
from falsum.errors import UsageError
from falsum.smtlib.sorts import BOOL, Sort

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities, ExtraDeclaration
    from falsum.api.model.settings import Bounds
    from falsum.smtlib.scripts import Command, Datatype
    from falsum.smtlib.syntax.scope import Scope
    from falsum.smtlib.terms import Function, Head, Term
    from falsum.solvers.options import Option

# Declared sorts have names that begin so; no theory has such a sort.
DECLARED: Final = "U!"
DATATYPE: Final = "D!"
_NOBODY: Final[frozenset[str]] = frozenset()


@dataclass(slots=True, eq=False)
class Known:
    """A term both sides know: `name` is its `t` number, `free` the names of variables still to be bound.

    `is_ground`: nothing but values in it; `is_rewritten`: equal to our term, as far as the library says.
    """

    name: str
    term: Term
    role: str  # input, function, variable, value, term
    free: frozenset[str] = _NOBODY
    depth: int = 1
    nodes: int = 1
    uses: int = 0
    is_ground: bool = False
    is_rewritten: bool = False
    function: Function | None = None

    @property
    def sort(self) -> Sort:
        return self.term.sort


@dataclass(slots=True)
class Mirror:
    """`mode` is `assert` or the last verdict while it holds; `levels` the assertions by level.

    `values` are the printed values of the current model, by term name; `core` and `failed` what the last
    unsat answer gave, as names.
    """

    capabilities: Capabilities
    bounds: Bounds
    theories: tuple[str, ...]
    sorts: dict[str, Sort] = field(default_factory=dict)
    terms: dict[str, Known] = field(default_factory=dict)
    by_sort: dict[Sort, list[Known]] = field(default_factory=dict)
    functions: list[Known] = field(default_factory=list)
    declarations: list[Command] = field(default_factory=list)
    datatypes: dict[str, Datatype] = field(default_factory=dict)
    members: dict[str, Head] = field(default_factory=dict)  # of datatypes: `make:c`, `get:f`, `is:c`, `set:f`
    templates: dict[str, Datatype] = field(default_factory=dict)  # datatypes with parameters: no sorts yet
    instance_sorts: dict[str, tuple[Sort, ...]] = field(
        default_factory=dict
    )  # what an instance's member takes
    options: dict[str, str] = field(default_factory=dict)
    drawable: tuple[Option, ...] = ()  # options this run may set as it likes
    logic: str = ""
    mode: str = "assert"
    bound: set[str] = field(default_factory=set)  # variables that some binder has
    levels: list[list[str]] = field(default_factory=lambda: [[]])
    assumed: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    revised: tuple[str, str, str] | None = None  # a value that changed: of what, before, now
    decided: list[tuple[frozenset[str], str]] = field(default_factory=list)  # what was in force, the verdict
    told: list[tuple[frozenset[str], str, str]] = field(default_factory=list)  # in force, of what, its value
    core: tuple[str, ...] | None = None
    failed: tuple[str, ...] | None = None
    checks: int = 0
    actions: int = 0
    sort_names: frozenset[str] = frozenset()
    operators: tuple[str, ...] = ()
    extras: dict[str, ExtraDeclaration] = field(default_factory=dict)
    scope: Scope | None = None  # what the first `scoped` declarations mean to whoever reads
    scoped: int = 0
    _last_sort: int = 0
    _last_term: int = 0

    def __post_init__(self) -> None:
        """`sort_names` and `operators`: of the theories, what the library has; `extras` by name."""
        wanted = frozenset(name for theory in self.theories for name in SORTS_OF[theory])
        self.sort_names = (wanted | {"Bool"}) & frozenset(self.capabilities.sorts)
        self.operators = operators_in(self.theories, self.capabilities.operators)
        self.extras = {extra.name: extra for extra in self.capabilities.extras}

    # -- what there is -----------------------------------------------------------------------------

    def has(self, feature: str) -> bool:
        return self.capabilities.has(feature)

    def sort(self, name: str) -> Sort:
        try:
            return self.sorts[name]
        except KeyError:
            raise UsageError(f"no sort {name} here") from None

    def known(self, name: str) -> Known:
        try:
            return self.terms[name]
        except KeyError:
            raise UsageError(f"no term {name} here") from None

    @property
    def asserted(self) -> tuple[str, ...]:
        return tuple(name for level in self.levels for name in level)

    @property
    def in_force(self) -> tuple[str, ...]:
        """What the last check was about: assertions, then assumptions."""
        return (*self.asserted, *self.assumed)

    def formulas(self) -> list[Known]:
        """Bool terms that can be asserted."""
        return [known for known in self.by_sort.get(BOOL, ()) if not known.free]

    def inputs(self) -> Iterator[Known]:
        return (known for known in self.terms.values() if known.role == "input")

    def name_of(self, sort: Sort) -> str | None:
        """The name under which the library knows a sort, if it was made."""
        return next((name for name, known in self.sorts.items() if known is sort), None)

    def allows(self, sort: Sort) -> bool:
        """Whether terms of a sort are wanted: of the theories of this run, and not too wide."""
        if sort.name not in self.sort_names and not sort.name.startswith((DECLARED, DATATYPE)):
            return False
        if sort.name == "BitVec" and not 0 < _index(sort, 0) <= self.bounds.width:
            return False
        if sort.name == "FloatingPoint":
            return (_index(sort, 0), _index(sort, 1)) in self.capabilities.float_formats
        return all(map(self.allows, sort.args))

    # -- what is told ------------------------------------------------------------------------------

    def next_sort(self) -> str:
        return f"s{self._last_sort + 1}"

    def next_term(self) -> str:
        return f"t{self._last_term + 1}"

    def add_sort(self, name: str, sort: Sort) -> None:
        self._last_sort = max(self._last_sort, int(name[1:]))
        self.sorts[name] = sort

    def add_template(self, name: str, datatype: Datatype) -> None:
        self._last_sort = max(self._last_sort, int(name[1:]))
        self.templates[name] = datatype

    def add(self, known: Known) -> None:
        self._last_term = max(self._last_term, int(known.name[1:]))
        self.terms[known.name] = known
        if known.role == "function":
            self.functions.append(known)
        else:
            self.by_sort.setdefault(known.sort, []).append(known)

    def can_bind(self, names: frozenset[str]) -> bool:
        """Whether variables may be bound (again)."""
        return not (self.has("bind-once") and names & self.bound)

    def bind(self, names: frozenset[str]) -> None:
        """Variables now belong to a binder; where that is for ever, terms they are free in are of no use."""
        self.bound |= names
        if self.has("bind-once"):
            for sort, there in self.by_sort.items():
                self.by_sort[sort] = [known for known in there if not known.free & names]
            self.by_sort = {sort: there for sort, there in self.by_sort.items() if there}

    def changed(self) -> None:
        """The last verdict and all that belongs to it are over."""
        self.mode = "assert"
        self.assumed = ()
        self.values.clear()
        self.revised = None
        self.core = self.failed = None

    def answered(self, verdict: str, assumed: tuple[str, ...]) -> None:
        self.changed()
        self.mode = verdict
        self.assumed = assumed
        self.checks += 1
        if verdict != "unknown":
            self.decided.append((frozenset(self.in_force), verdict))


def _index(sort: Sort, place: int) -> int:
    number = sort.indices[place]
    assert isinstance(number, int)
    return number
