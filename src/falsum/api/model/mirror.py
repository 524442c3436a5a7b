"""Mirror: a copy of the library's state in falsum's own sorts and terms.

Actions draw from it and update it, checks compare the library with it. Only lines and replies change it
(`Action.apply`), so replaying a trace rebuilds it exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from falsum.api.model.float_formats import FloatFormat, format_weights, is_float_format
from falsum.api.model.guidance import Guidance
from falsum.api.model.theories import operators_in, sorts_of
from falsum.errors import UsageError
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.theories import SORTS

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities, ExtraDeclaration
    from falsum.api.model.settings import Bounds
    from falsum.smtlib.scripts import Command, Datatype
    from falsum.smtlib.syntax.scope import Scope
    from falsum.smtlib.terms import Function, Head, Term
    from falsum.solvers.options import Setting

# Prefixes of the names of declared sorts and of datatypes; no theory has such sorts.
DECLARED: Final = "U!"
DATATYPE: Final = "D!"
_NO_VARIABLES: Final[frozenset[str]] = frozenset()


@dataclass(slots=True, eq=False)
class TermEntry:
    """A term that the library has as well: `name` is its name in the trace, `free` its free variables.

    `has_symbol`: it contains a constant or declared function; `is_rewritten`: the library has made another
    term of it, which it says is equal.
    """

    name: str
    term: Term
    role: str  # input, function, variable, value, term
    free: frozenset[str] = _NO_VARIABLES
    depth: int = 1
    nodes: int = 1
    uses: int = 0
    has_symbol: bool = False
    is_rewritten: bool = False
    function: Function | None = None

    @property
    def sort(self) -> Sort:
        return self.term.sort


@dataclass(slots=True)
class Mirror:
    """The state after some lines of a trace.

    `mode` is the last verdict as long as it holds, else `assert`. `levels` are the assertions by level,
    `values` the values of the current model by term, as printed. Terms are given by their names.
    """

    capabilities: Capabilities
    bounds: Bounds
    theories: tuple[str, ...]
    sorts: dict[str, Sort] = field(default_factory=dict)
    terms: dict[str, TermEntry] = field(default_factory=dict)
    by_sort: dict[Sort, list[TermEntry]] = field(default_factory=dict)
    functions: list[TermEntry] = field(default_factory=list)
    declarations: list[Command] = field(default_factory=list)
    datatypes: dict[str, Datatype] = field(default_factory=dict)
    # Functions of datatypes: `make:c`, `get:f`, `is:c`, `set:f`.
    members: dict[str, Head] = field(default_factory=dict)
    # Datatypes with sort parameters, and the argument sorts of functions of their instances.
    templates: dict[str, Datatype] = field(default_factory=dict)
    instance_sorts: dict[str, tuple[Sort, ...]] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    required_options: tuple[Setting, ...] = ()  # set at the beginning, and again after a reset
    drawn_options: tuple[Setting, ...] = ()  # set after them
    logic: str = ""
    has_random_symbols: bool = False
    is_linear: bool = False  # products and quotients only with numerals
    guidance: Guidance = field(default_factory=Guidance)
    mode: str = "assert"
    bound_variables: set[str] = field(default_factory=set)
    float_weights: Mapping[FloatFormat, float] = field(default_factory=lambda: format_weights({}))
    levels: list[list[str]] = field(default_factory=lambda: [[]])
    assumptions: tuple[str, ...] = ()
    formulas_asserted: dict[Term, None] = field(default_factory=dict)  # also on levels that are gone
    values: dict[str, str] = field(default_factory=dict)
    changed_value: tuple[str, str, str] | None = None  # a term, its value before, its value now
    claims: list[tuple[frozenset[str], str]] = field(default_factory=list)  # known verdicts of formulas
    # The verdicts and values so far, each with the formulas of its check.
    past_verdicts: list[tuple[frozenset[str], str]] = field(default_factory=list)
    past_values: list[tuple[frozenset[str], str, str]] = field(default_factory=list)
    unsat_core: tuple[str, ...] | None = None
    failed_assumptions: tuple[str, ...] | None = None
    checks: int = 0
    actions: int = 0
    sort_names: frozenset[str] = frozenset()
    first_class_sorts: tuple[str, ...] = ()  # those of them that constants can have, in order
    operators: tuple[str, ...] = ()
    extras: dict[str, ExtraDeclaration] = field(default_factory=dict)
    # What is there with the options set so far; formats with weights.
    features: frozenset[str] = frozenset()
    float_formats: dict[FloatFormat, float] = field(default_factory=dict)
    scope: Scope | None = None  # the scope of the first `scope_size` declarations
    scope_size: int = 0
    _last_sort: int = 0
    _last_term: int = 0

    def __post_init__(self) -> None:
        sort_names = frozenset(name for theory in self.theories for name in sorts_of()[theory])
        self.sort_names = (sort_names | {"Bool"}) & frozenset(self.capabilities.sorts)
        self.first_class_sorts = tuple(
            name for name in SORTS if name in self.sort_names and SORTS[name].is_first_class
        )
        self.operators = operators_in(self.theories, self.capabilities.operators)
        self.extras = {extra.name: extra for extra in self.capabilities.extras}
        self._find_features()

    def _find_features(self) -> None:
        """Determine which features are available with the options set so far."""
        self.features = self.capabilities.features_with(self.options)
        features = {key: weight for key, weight in self.float_weights.items() if self.has_format(key)}
        self.float_formats = features or dict.fromkeys(self.capabilities.float_formats, 1.0)

    # -- queries ----------------------------------------------------------------------------------

    def has(self, feature: str) -> bool:
        """Whether the library has a feature with the options of this run."""
        return feature in self.features

    def missing_sorts(self) -> list[str]:
        """The sorts of the run's theories, by name, of which there is none yet."""
        names = {sort.name for sort in self.sorts.values()}
        return [name for name in self.first_class_sorts if name not in names]

    @property
    def lacks_datatype(self) -> bool:
        """Whether the run should have a datatype and has none yet."""
        return "datatypes" in self.theories and self.has("datatypes") and not self.datatypes

    def missing_options(self) -> list[Setting]:
        """The options that this run has still to set, in order."""
        planned = (*self.required_options, *self.drawn_options)
        return [setting for setting in planned if setting[0] not in self.options]

    def sort(self, name: str) -> Sort:
        try:
            return self.sorts[name]
        except KeyError:
            raise UsageError(f"unknown sort {name}") from None

    def entry(self, name: str) -> TermEntry:
        try:
            return self.terms[name]
        except KeyError:
            raise UsageError(f"unknown term {name}") from None

    @property
    def asserted(self) -> tuple[str, ...]:
        return tuple(name for level in self.levels for name in level)

    @property
    def formulas_at_check(self) -> tuple[str, ...]:
        """The formulas of the last check: assertions, then assumptions."""
        return (*self.asserted, *self.assumptions)

    def formulas(self) -> list[TermEntry]:
        """The terms that can be asserted: Bool, without free variables."""
        return [entry for entry in self.by_sort.get(BOOL, ()) if not entry.free]

    def formulas_with_symbols(self) -> list[TermEntry]:
        """The formulas that contain symbols; without symbols a formula is just true or false."""
        return [entry for entry in self.formulas() if entry.has_symbol]

    @property
    def has_formula(self) -> bool:
        """Whether there is a formula, with symbols if there are any."""
        may_be_weak = not self.has_input
        return any(not e.free and (may_be_weak or e.has_symbol) for e in self.by_sort.get(BOOL, ()))

    @property
    def has_input(self) -> bool:
        return any(entry.role in ("input", "function") for entry in self.terms.values())

    def name_of(self, sort: Sort) -> str | None:
        """The name of a sort in the trace; None if no line has made it."""
        return next((name for name, known_sort in self.sorts.items() if known_sort is sort), None)

    def allows(self, sort: Sort) -> bool:
        """Whether this run may have terms of a sort: it is of the run's theories, and not too wide."""
        if sort.name not in self.sort_names and not sort.name.startswith((DECLARED, DATATYPE)):
            return False
        if sort.name == "BitVec" and not 0 < _index(sort, 0) <= self.bounds.width:
            return False
        if sort.name == "FloatingPoint":
            return (_index(sort, 0), _index(sort, 1)) in self.float_formats
        return all(map(self.allows, sort.args))

    def has_sort(self, sort: Sort) -> bool:
        """Whether the library has a sort at all; traces of other libraries may have more."""
        todo = [sort]
        while todo:
            part = todo.pop()
            if part.name.startswith((DECLARED, DATATYPE)):
                continue
            if part.name not in self.capabilities.sorts:
                return False
            if part.name == "FloatingPoint" and not self.has_format((_index(part, 0), _index(part, 1))):
                return False
            if any(arg.name == "Array" for arg in part.args) and not self._may_hold_arrays(part):
                return False
            todo += part.args
        return True

    def _may_hold_arrays(self, sort: Sort) -> bool:
        if sort.name == "->":
            return not self.has("flat-functions")
        if sort.name == "Array" and sort.args[0].name == "Array" and not self.has("array-indices"):
            return False
        return self.has("nested-arrays")

    def has_format(self, float_format: FloatFormat) -> bool:
        """Whether the library has floats of a format, with the options of this run."""
        formats = self.capabilities.float_formats
        return is_float_format(float_format) and (
            not formats or float_format in formats or self.has("all-floats")
        )

    # -- updates ----------------------------------------------------------------------------------

    def set_option(self, name: str, value: str) -> None:
        self.options[name] = value
        self._find_features()

    def clear_options(self) -> None:
        self.options.clear()
        self._find_features()

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

    def add(self, entry: TermEntry) -> None:
        self._last_term = max(self._last_term, int(entry.name[1:]))
        self.terms[entry.name] = entry
        if entry.role == "function":
            self.functions.append(entry)
        else:
            self.by_sort.setdefault(entry.sort, []).append(entry)

    def can_bind(self, names: frozenset[str]) -> bool:
        """Whether a binder may bind these variables."""
        return not (self.has("bind-once") and names & self.bound_variables)

    def bind(self, names: frozenset[str]) -> None:
        """Record that variables are bound; with `bind-once` drop terms in which they are free."""
        self.bound_variables |= names
        if self.has("bind-once"):
            for sort, entries in self.by_sort.items():
                self.by_sort[sort] = [entry for entry in entries if not entry.free & names]
            self.by_sort = {sort: entries for sort, entries in self.by_sort.items() if entries}

    def end_answer(self) -> None:
        """Drop the last verdict and all that depends on it."""
        self.mode = "assert"
        self.assumptions = ()
        self.values.clear()
        self.changed_value = None
        self.unsat_core = self.failed_assumptions = None

    def record_verdict(self, verdict: str, assumptions: tuple[str, ...]) -> None:
        self.end_answer()
        self.mode = verdict
        self.assumptions = assumptions
        self.checks += 1
        if verdict != "unknown":
            self.past_verdicts.append((frozenset(self.formulas_at_check), verdict))


def _index(sort: Sort, position: int) -> int:
    number = sort.indices[position]
    assert isinstance(number, int)
    return number
