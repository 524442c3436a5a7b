"""Terms: immutable, shared, well-sorted by construction. Only this module makes nodes.

    Term = Value | Var | App | Quantifier | Let | Lambda | Match | Annotated

Equal terms are the same object, so dictionaries keyed by terms are cheap. The table of all terms holds them
weakly, so unused terms are freed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import KeyedRef

from falsum.errors import SortError
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL, Bindings, Index, Sort, applied, function, match, substitute
from falsum.smtlib.text.lexer import quote

_table: dict[tuple[object, ...], KeyedRef[Any, Any]] = {}


def _forget(ref: KeyedRef[Any, Any]) -> None:
    # A new node may have taken the place of a dead one before the callback ran.
    if _table.get(ref.key) is ref:
        del _table[ref.key]


class Function:
    """A function symbol of a script: declared, defined, constructor, selector, tester, updater.

    `params` are the sort parameters of a polymorphic function; `subject` is the constructor of a tester or
    the selector of an updater.
    """

    __slots__ = ("__weakref__", "args", "name", "params", "result", "role", "subject")

    name: str
    args: tuple[Sort, ...]
    result: Sort
    params: tuple[Sort, ...]
    role: str
    subject: str

    def __new__(
        cls,
        name: str,
        args: tuple[Sort, ...],
        result: Sort,
        params: tuple[Sort, ...] = (),
        role: str = "declared",
        subject: str = "",
    ) -> Function:
        key = (cls, name, args, result, params, role, subject)
        node: Function | None = _shared(key)
        if node is not None:
            return node
        self = super().__new__(cls)
        self.name = name
        self.args = args
        self.result = result
        self.params = params
        self.role = role
        self.subject = subject
        _table[key] = KeyedRef(self, _forget, key)
        return self

    def rank(
        self, indices: tuple[Index, ...], sorts: tuple[Sort, ...], qualifier: Sort | None = None
    ) -> Sort | None:
        """As `Operator.rank`; with fewer arguments the result is a function, with more it is applied."""
        del indices
        if not self.params:
            if sorts == self.args:
                result = self.result
            elif len(sorts) < len(self.args) and sorts == self.args[: len(sorts)]:
                result = function(self.args[len(sorts) :], self.result)
            elif len(sorts) > len(self.args) and sorts[: len(self.args)] == self.args:
                further = applied(self.result, sorts[len(self.args) :])
                if further is None:
                    return None
                result = further
            else:
                return None
            return result if qualifier is None or qualifier is result else None
        bindings: Bindings = {}
        if qualifier is not None and not match(self.result, qualifier, bindings):
            return None
        if len(sorts) != len(self.args):
            return None
        for pattern, sort in zip(self.args, sorts, strict=True):
            if not match(pattern, sort, bindings):
                return None
        result = substitute(self.result, bindings)
        return None if result.is_pattern and any(p.name not in bindings for p in self.params) else result

    @property
    def expectation(self) -> str:
        return f"({' '.join([self.name, *map(str, self.args), str(self.result)])})"

    def __repr__(self) -> str:
        return f"Function<{self.name}>"


class Head:
    """The head of an application: a symbol with its indices and qualifier, as written.

    `ranks` caches result sorts by argument sorts, which makes sort-checking one look-up.
    """

    __slots__ = ("__weakref__", "indices", "qualifier", "ranks", "symbol", "text")

    symbol: Operator | Function
    indices: tuple[Index, ...]
    qualifier: Sort | None
    text: str
    ranks: dict[tuple[Sort, ...], Sort]

    def __new__(
        cls,
        symbol: Operator | Function,
        indices: tuple[Index, ...] = (),
        qualifier: Sort | None = None,
        text: str = "",
    ) -> Head:
        key = (cls, symbol, indices, qualifier, text)
        node: Head | None = _shared(key)
        if node is not None:
            return node
        self = super().__new__(cls)
        self.symbol = symbol
        self.indices = indices
        self.qualifier = qualifier
        self.text = text or _head_text(symbol, indices, qualifier)
        self.ranks = {}
        _table[key] = KeyedRef(self, _forget, key)
        return self

    @property
    def name(self) -> str:
        return self.symbol.name

    def rank(self, sorts: tuple[Sort, ...]) -> Sort | None:
        sort = self.ranks.get(sorts)
        if sort is not None:
            return sort
        result = self.symbol.rank(self.indices, sorts, self.qualifier)
        if result is not None and len(sorts) <= _LONGEST_CACHED:
            if len(self.ranks) >= _MOST_CACHED:
                self.ranks.clear()
            self.ranks[sorts] = result
        return result

    def __repr__(self) -> str:
        return f"Head<{self.text}>"


_LONGEST_CACHED: Final = 16
_MOST_CACHED: Final = 4096


class Value:
    """A constant: its sort, its payload and its text."""

    __slots__ = ("__weakref__", "payload", "sort", "text")
    sort: Sort
    payload: Any
    text: str

    def __repr__(self) -> str:
        return f"Value<{self.text}>"


class Var:
    """A bound variable."""

    __slots__ = ("__weakref__", "name", "sort")
    name: str
    sort: Sort

    def __repr__(self) -> str:
        return f"Var<{self.name}>"


class App:
    """A symbol applied to arguments; a constant has none."""

    __slots__ = ("__weakref__", "args", "head", "sort")
    head: Head
    args: tuple[Term, ...]
    sort: Sort

    def __repr__(self) -> str:
        return f"App<{self.head.text}/{len(self.args)}>"


class Quantifier:
    """`forall` or `exists`."""

    __slots__ = ("__weakref__", "binders", "body", "kind", "sort")
    kind: str
    binders: tuple[Var, ...]
    body: Term
    sort: Sort

    def __repr__(self) -> str:
        return f"Quantifier<{self.kind} {len(self.binders)}>"


class Let:
    """A parallel let: `binders` are not in scope in `values`."""

    __slots__ = ("__weakref__", "binders", "body", "sort", "values")
    binders: tuple[Var, ...]
    values: tuple[Term, ...]
    body: Term
    sort: Sort

    def __repr__(self) -> str:
        return f"Let<{len(self.binders)}>"


class Lambda:
    """`lambda` and other binders that make a value; `kind` is the reserved word."""

    __slots__ = ("__weakref__", "binders", "body", "kind", "sort")
    kind: str
    binders: tuple[Var, ...]
    body: tuple[Term, ...]
    sort: Sort

    def __repr__(self) -> str:
        return f"Lambda<{self.kind} {len(self.binders)}>"


class MatchCase(NamedTuple):
    """A case of a match: a constructor (None for a variable pattern), its variables and its body."""

    constructor: Head | None
    binders: tuple[Var, ...]
    body: Term


class Match:
    """`match` on a datatype."""

    __slots__ = ("__weakref__", "cases", "sort", "subject")
    subject: Term
    cases: tuple[MatchCase, ...]
    sort: Sort

    def __repr__(self) -> str:
        return f"Match<{len(self.cases)}>"


class Attribute(NamedTuple):
    """`:keyword value`: the value is None, text, or a list of terms (patterns)."""

    keyword: str
    value: str | tuple[Term, ...] | None


class Annotated:
    """`(! term attributes…)`."""

    __slots__ = ("__weakref__", "attributes", "body", "sort")
    body: Term
    attributes: tuple[Attribute, ...]
    sort: Sort

    def __repr__(self) -> str:
        return f"Annotated<{' '.join(a.keyword for a in self.attributes)}>"


Term: TypeAlias = Value | Var | App | Quantifier | Let | Lambda | Match | Annotated


def value(sort: Sort, payload: object, text: str) -> Value:
    """A constant; its identity includes the payload's class, because True == 1."""
    key = (Value, sort, payload.__class__, payload, text)
    existing: Value | None = _shared(key)
    if existing is not None:
        return existing
    node = object.__new__(Value)
    node.sort = sort
    node.payload = payload
    node.text = text
    _table[key] = KeyedRef(node, _forget, key)
    return node


def var(name: str, sort: Sort) -> Var:
    key = (Var, name, sort)
    existing: Var | None = _shared(key)
    if existing is not None:
        return existing
    node = object.__new__(Var)
    node.name = name
    node.sort = sort
    _table[key] = KeyedRef(node, _forget, key)
    return node


def app(head: Head, args: Sequence[Term] = ()) -> App:
    """The application; raises SortError if the head does not take arguments of these sorts."""
    args = tuple(args)
    key = (head, args)
    ref = _table.get(key)
    if ref is not None:
        existing: App | None = ref()
        if existing is not None:
            return existing
    sorts = tuple([arg.sort for arg in args])
    sort = head.ranks.get(sorts)
    if sort is None:
        sort = head.rank(sorts)
        if sort is None:
            raise SortError(head.text, tuple(map(str, sorts)), head.symbol.expectation)
    node = object.__new__(App)
    node.head = head
    node.args = args
    node.sort = sort
    _table[key] = KeyedRef(node, _forget, key)
    return node


def constant(symbol: Function) -> App:
    """The constant symbol as a term."""
    return app(Head(symbol))


def quantifier(kind: str, binders: tuple[Var, ...], body: Term) -> Quantifier:
    if body.sort is not BOOL:
        raise SortError(kind, (str(body.sort),), "a Bool body")
    key = (Quantifier, kind, binders, body)
    node: Quantifier | None = _shared(key)
    if node is None:
        node = object.__new__(Quantifier)
        node.kind, node.binders, node.body, node.sort = kind, binders, body, BOOL
        _keep(key, node)
    return node


def let(binders: tuple[Var, ...], values: tuple[Term, ...], body: Term) -> Let:
    for binder, bound in zip(binders, values, strict=True):
        if binder.sort is not bound.sort:
            raise SortError("let", (str(bound.sort),), str(binder.sort))
    key = (Let, binders, values, body)
    node: Let | None = _shared(key)
    if node is None:
        node = object.__new__(Let)
        node.binders, node.values, node.body, node.sort = binders, values, body, body.sort
        _keep(key, node)
    return node


def lambda_(kind: str, binders: tuple[Var, ...], body: tuple[Term, ...], sort: Sort) -> Lambda:
    """A binder that makes a value of the given sort."""
    key = (Lambda, kind, binders, body, sort)
    node: Lambda | None = _shared(key)
    if node is None:
        node = object.__new__(Lambda)
        node.kind, node.binders, node.body, node.sort = kind, binders, body, sort
        _keep(key, node)
    return node


def match_(subject: Term, cases: tuple[MatchCase, ...]) -> Match:
    if not cases:
        raise SortError("match", (), "at least one case")
    sort = cases[0].body.sort
    for case in cases:
        if case.body.sort is not sort:
            raise SortError("match", (str(case.body.sort),), f"every case to have sort {sort}")
    key = (Match, subject, cases)
    node: Match | None = _shared(key)
    if node is None:
        node = object.__new__(Match)
        node.subject, node.cases, node.sort = subject, cases, sort
        _keep(key, node)
    return node


def annotated(body: Term, attributes: tuple[Attribute, ...]) -> Annotated:
    key = (Annotated, body, attributes)
    node: Annotated | None = _shared(key)
    if node is None:
        node = object.__new__(Annotated)
        node.body, node.attributes, node.sort = body, attributes, body.sort
        _keep(key, node)
    return node


def shared_count() -> int:
    """The number of objects in the table; for tests of memory use."""
    return len(_table)


def _shared(key: tuple[object, ...]) -> Any:
    ref = _table.get(key)
    return ref() if ref is not None else None


def _keep(key: tuple[object, ...], node: object) -> None:
    _table[key] = KeyedRef(node, _forget, key)


def _head_text(symbol: Operator | Function, indices: tuple[Index, ...], qualifier: Sort | None) -> str:
    text = quote(symbol.name)
    if indices:
        text = f"(_ {text} {' '.join(map(str, indices))})"
    if qualifier is not None:
        text = f"(as {text} {sort_text(qualifier)})"
    return text


def sort_text(sort: Sort) -> str:
    """The sort as SMT-LIB text, with names quoted if needed."""
    head = quote(sort.name)
    if sort.indices:
        head = f"(_ {head} {' '.join(map(str, sort.indices))})"
    if sort.args:
        return f"({head} {' '.join(map(sort_text, sort.args))})"
    return head
