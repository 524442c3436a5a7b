"""Scope: what names mean at a point of a script, with push levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from falsum.errors import UsageError
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Datatype
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.terms import Function, Head, Term, Value, app
from falsum.smtlib.text.lexer import quote
from falsum.smtlib.theories import NAMED_VALUES, OPERATORS, SORTS, theory_cache


class SortName(NamedTuple):
    """A sort constructor: of a theory (with a kind), declared, a parameter, or defined (with a body)."""

    indices: int
    arity: int  # -1: any number of arguments
    params: tuple[Sort, ...] = ()
    body: Sort | None = None
    kind: SortKind | None = None


@theory_cache()
def _builtin_sorts() -> dict[str, SortName]:
    return {quote(name): SortName(kind.indices, kind.arity, kind=kind) for name, kind in SORTS.items()}


@theory_cache()
def _builtin_heads() -> dict[str, Head | tuple[Head, ...]]:
    """Operators that may make a literal, in a tuple, which tells the parser to look at their arguments."""
    return {
        quote(name): Head(operator) if operator.literal is None else (Head(operator),)
        for name, operator in OPERATORS.items()
    }


@dataclass(slots=True)
class Scope:
    """Names are keyed by the token that the printer writes, so that |x| and x are the same."""

    # What a token means as a term; the parser adds literals.
    atoms: dict[str, Term] = field(default_factory=lambda: dict(NAMED_VALUES))
    # What a token means in front of arguments; several heads if it is overloaded.
    heads: dict[str, Head | tuple[Head, ...]] = field(default_factory=lambda: dict(_builtin_heads()))
    sorts: dict[str, SortName] = field(default_factory=lambda: dict(_builtin_sorts()))
    datatypes: dict[str, Datatype] = field(default_factory=dict)
    declared: dict[str, tuple[Function, ...]] = field(default_factory=dict)
    reals_only: bool = False
    is_global: bool = False
    may_redeclare: bool = False
    _undo: list[list[tuple[dict[str, object], str, object]]] = field(default_factory=list)

    def _set(self, table: dict[str, object], key: str, new: object) -> None:
        if self._undo and not self.is_global:
            self._undo[-1].append((table, key, table.get(key)))
        table[key] = new

    def extend(self, operators: Iterable[Operator]) -> None:
        """Adds operators that no theory has; restrictions of a theory's operator change nothing here."""
        for operator in operators:
            self.heads.setdefault(quote(operator.name), Head(operator))

    def push(self, levels: int) -> None:
        self._undo.extend([] for _ in range(levels))

    def pop(self, levels: int) -> bool:
        """Removes the declarations of the last levels; False if there are fewer levels."""
        if levels > len(self._undo):
            return False
        for _ in range(levels):
            for table, key, old in reversed(self._undo.pop()):
                if old is None:
                    table.pop(key, None)
                else:
                    table[key] = old
        return True

    def is_fresh_sort(self, name: str) -> bool:
        """Whether a sort of this name may be declared; sorts that only some solvers have may be replaced."""
        if name in SORTS and SORTS[name].is_reserved:
            return False
        kind = self.sorts.get(quote(name))
        return kind is None or kind.kind is not None or self.may_redeclare

    def is_builtin(self, sort: Sort) -> bool:
        """Whether a sort is a theory's and not declared by the script."""
        kind = self.sorts.get(quote(sort.name))
        return kind is not None and kind.kind is not None

    def declare_sort(self, name: str, new: SortName) -> None:
        self._set(self.sorts, quote(name), new)  # type: ignore[arg-type]  # dict is invariant

    def declare(self, function: Function, text: str = "") -> None:
        """Adds a function; raises UsageError if there is one with the same name and rank."""
        key = text or quote(function.name)
        earlier = self.declared.get(key, ())
        for other in () if self.may_redeclare else earlier:
            if other.args == function.args and other.result is function.result:
                raise UsageError(f"{key} is already declared with this rank")
        self._set(self.declared, key, (*earlier, function))  # type: ignore[arg-type]  # as above
        head = Head(function, (), None, text)
        if not function.args and not function.params:
            self._set(self.atoms, key, app(head))  # type: ignore[arg-type]  # as above
        elif key in self.atoms and not earlier:
            self._set(self.atoms, key, None)  # type: ignore[arg-type]  # as above
        before = self.heads.get(key)
        heads: Head | tuple[Head, ...] = head
        if before is not None:
            # The newest first: a script's symbol hides an operator of a theory.
            heads = (head, *before) if isinstance(before, tuple) else (head, before)
        self._set(self.heads, key, heads)  # type: ignore[arg-type]  # as above

    def declare_quietly(self, function: Function) -> None:
        """Adds a function unless its name is taken, for testers under their old names."""
        if quote(function.name) not in self.heads:
            self.declare(function)

    def declare_datatype(self, datatype: Datatype) -> None:
        self._set(self.datatypes, datatype.name, datatype)  # type: ignore[arg-type]  # as above

    def functions(self, key: str) -> tuple[Function, ...]:
        return self.declared.get(key, ())

    def set_logic(self, name: str) -> None:
        """Set the logic; numerals are reals if it has reals and no integers."""
        self.reals_only = logic_of(name).is_real
        for key in [key for key, term in self.atoms.items() if isinstance(term, Value) and key.isdigit()]:
            del self.atoms[key]

    def make_sort(self, key: str, indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
        """The sort a name stands for with these indices and arguments; raises UsageError."""
        kind = self.sorts.get(key)
        if kind is None:
            raise UsageError(f"unknown sort {key}")
        if kind.kind is not None:
            return kind.kind.instantiate(indices, args)
        if kind.body is not None:
            if len(args) != len(kind.params):
                raise UsageError(f"sort {key} takes {len(kind.params)} arguments, not {len(args)}")
            bindings: Bindings = {p.name: arg for p, arg in zip(kind.params, args, strict=True)}
            return substitute(kind.body, bindings)
        if len(indices) != kind.indices:
            raise UsageError(f"sort {key} takes {kind.indices} indices, not {len(indices)}")
        if kind.arity not in (len(args), -1):
            raise UsageError(f"sort {key} takes {kind.arity} arguments, not {len(args)}")
        return Sort(key[1:-1] if key[0] == "|" else key, indices, args)
