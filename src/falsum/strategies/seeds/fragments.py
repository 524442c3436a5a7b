"""Fragments: the closed Boolean sub-formulas of a seed, and the declarations they need."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.smtlib.lexer import symbol_name
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import (
    DECLARATIONS,
    Assert,
    CheckSatAssuming,
    DefineFun,
    Script,
    SetLogic,
    SetOption,
)
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Annotated, App, Function, Lambda, Let, Match, Quantifier, Term, Value, let
from falsum.smtlib.walk import children, free_variables, subterms, transform


def declarations_of(script: Script) -> str | None:
    """The logic and all declarations of a seed, as text; None if that cannot be: a name is declared
    twice, or a definition uses the name of a term.
    """
    lines = []
    seen: set[str] = set()
    logic = ""
    for command in script.commands:
        if isinstance(command, SetLogic):
            logic = print_command(command) + "\n"
        elif isinstance(command, SetOption) and command.keyword in _KEPT_OPTIONS:
            lines.append(print_command(command) + "\n")
        elif isinstance(command, DECLARATIONS):
            if isinstance(command, DefineFun) and any(map(_is_name, subterms(command.body))):
                return None
            text = print_command(command) + "\n"
            name = " ".join(text.split(" ", 2)[:2])
            if name in seen:
                return None
            seen.add(name)
            lines.append(text)
    return logic + "".join(lines)


# Options without which a solver does not read the seed.
_KEPT_OPTIONS = frozenset([":strings-exp", ":sets-exp", ":fp-exp", ":arrays-exp", ":global-declarations"])


def fragments(script: Script, depth: int) -> Iterator[tuple[Term, int]]:
    """Closed Boolean sub-formulas with their depth, each once; lets around one are put around it again."""
    seen: set[Term] = set()
    named: dict[str, Term] = {}
    for command in script.commands:
        roots = command.terms if isinstance(command, CheckSatAssuming) else ()
        if isinstance(command, Assert):
            roots = (command.term,)
        for root in roots:
            for term in _inside(_without_names(root, named), depth):
                if term not in seen:
                    seen.add(term)
                    yield term, 1


def _inside(root: Term, depth: int) -> Iterator[Term]:
    """Boolean terms outermost first, down to a depth; none from inside a quantifier or function."""
    todo: list[tuple[Term, tuple[Let, ...], int]] = [(root, (), 0)]
    visited: set[tuple[Term, tuple[Let, ...]]] = set()
    while todo:
        term, lets, level = todo.pop()
        if (term, lets) in visited:
            continue
        visited.add((term, lets))
        if term.sort is BOOL and not isinstance(term, Value):
            closed = _closed(term, lets)
            if closed is not None:
                yield closed
        if level >= depth or isinstance(term, Quantifier | Lambda | Match):
            continue
        if isinstance(term, Let):
            todo.append((term.body, (*lets, term), level + 1))
            todo.extend((value, lets, level + 1) for value in reversed(term.values))
        else:
            parts = (term.body,) if isinstance(term, Annotated) else children(term)
            todo.extend((part, lets, level + 1) for part in reversed(parts))


def _closed(term: Term, lets: tuple[Let, ...]) -> Term | None:
    """The term with those of its lets around it that it needs."""
    for around in reversed(lets):
        free = free_variables(term)
        if not free:
            return term
        if any(binder in free for binder in around.binders):
            term = let(around.binders, around.values, term)
    return None if free_variables(term) else term


def _is_name(term: Term) -> bool:
    return (
        isinstance(term, App) and isinstance(term.head.symbol, Function) and term.head.symbol.role == "named"
    )


def _without_names(term: Term, named: dict[str, Term]) -> Term:
    """Names of terms are dropped, since an instance may use a fragment twice; uses become the terms.

    `named` remembers the names given so far, in this assertion and in those before it.
    """

    def change(part: Term) -> Term | None:
        if isinstance(part, Annotated):
            names = [a.value for a in part.attributes if a.keyword == ":named" and isinstance(a.value, str)]
            named.update((symbol_name(name), part.body) for name in names)
            return part.body if names else None
        if (
            isinstance(part, App)
            and isinstance(part.head.symbol, Function)
            and part.head.symbol.role == "named"
        ):
            return named.get(part.head.symbol.name)
        return None

    return transform(term, change)
