"""Laws of datatypes, made for each declaration.

A selector applied to a term of another constructor is an arbitrary function of its argument, so a law about
selectors needs a tester, or holds by congruence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from falsum.smtlib.scripts import Constructor, Datatype
from falsum.smtlib.terms import sort_text
from falsum.smtlib.text.lexer import quote
from falsum.smtlib.theories.law import Law, read_laws

_MOST_PAIRS: Final = 6


def laws_of(datatype: Datatype, prelude: Sequence[str]) -> tuple[Law, ...]:
    """The laws of a datatype; `prelude` are the commands that declare it and the sorts it uses."""
    sort = sort_text(datatype.sort)
    lines = [*_of_sort(datatype, sort)]
    for constructor in datatype.constructors:
        lines.extend(_of_constructor(constructor, datatype, sort))
    pairs = [(c, d) for c in datatype.constructors for d in datatype.constructors if c is not d]
    for first, second in pairs[:_MOST_PAIRS]:
        lines.extend(_of_pair(first, second, datatype, sort))
    params = tuple(param.name for param in datatype.params)
    return read_laws("Datatypes", "\n".join(lines), params, tuple(prelude))


def _of_sort(datatype: Datatype, sort: str) -> Iterator[str]:
    name, constructors = datatype.name, datatype.constructors
    if len(constructors) > 1:
        cases = " ".join(_tester(c.name, "x") for c in constructors)
        yield _law(name, "exhausted", "equivalent", f"(x {sort})", f"(or {cases})", "true")
    else:
        yield _law(
            name, "only-constructor", "equivalent", f"(x {sort})", _tester(constructors[0].name, "x"), "true"
        )
    for constructor in constructors:
        if len(constructors) > 1:
            yield from _of_tester(constructor, sort)
        for selector, _ in constructor.selectors:
            s = quote(selector)
            equation = f"(= ({s} x) ({s} y))"
            yield _law(
                selector, "eq-weaker-selector", "implies", f"(x {sort}) (y {sort})", "(= x y)", equation
            )


def _of_tester(constructor: Constructor, sort: str) -> Iterator[str]:
    name, binders = constructor.name, f"(x {sort}) (y {sort})"
    tests = " ".join(_tester(name, variable) for variable in "xy")
    yield _law(name, "eq-weaker-tester", "implies", binders, "(= x y)", f"(= {tests})")
    yield _law(name, "distinct-stronger-tester", "implies", binders, f"(distinct {tests})", "(distinct x y)")


def _of_constructor(constructor: Constructor, datatype: Datatype, sort: str) -> Iterator[str]:
    name, selectors = constructor.name, constructor.selectors
    binders, term = _fresh(constructor, "u"), _made(constructor, datatype, "u")
    parts = [f"({quote(s)} x)" for s, _ in selectors]
    remade = _applied(constructor, datatype, parts)
    yield _law(name, "tester-as-eq", "equivalent", f"(x {sort})", _tester(name, "x"), f"(= x {remade})")
    yield _law(name, "tester-of-constructor", "equivalent", binders, _tester(name, term), "true")
    yield _law(
        name, "tester-stronger-eq", "implies", f"(x {sort}) {binders}", f"(= x {term})", _tester(name, "x")
    )
    if not selectors:
        return
    for number, (selector, part) in enumerate(selectors):
        s = quote(selector)
        yield _law(selector, "selector", "equivalent", binders, f"({s} {term})", f"u{number}")
        yield _law(
            selector,
            "eq-weaker-part",
            "implies",
            f"(x {sort}) {binders}",
            f"(= x {term})",
            f"(= ({s} x) u{number})",
        )
        if part is datatype.sort:
            args = [f"u{n}" if n != number else "x" for n in range(len(selectors))]
            cycle = _applied(constructor, datatype, args)
            rest = " ".join(b for k, b in enumerate(_binder_list(constructor, "u")) if k != number)
            yield _law(selector, "no-cycle", "equivalent", f"(x {sort}) {rest}", f"(= x {cycle})", "false")
    other = _made(constructor, datatype, "v")
    equations = " ".join(f"(= u{n} v{n})" for n in range(len(selectors)))
    both = f"{binders} {_fresh(constructor, 'v')}"
    yield _law(name, "injective", "equivalent", both, f"(= {term} {other})", f"(and {equations} true)")
    inverse = " ".join(f"(= u{n} ({quote(s)} z))" for n, (s, _) in enumerate(selectors))
    inverse = f"(and {inverse})" if len(selectors) > 1 else inverse
    yield _law(name, "fuse", "inverse", f"{binders} (z {sort})", f"(= z {term})", inverse)


def _of_pair(first: Constructor, second: Constructor, datatype: Datatype, sort: str) -> Iterator[str]:
    name = f"{first.name}-{second.name}"
    term, other = _made(first, datatype, "u"), _made(second, datatype, "v")
    both = f"{_fresh(first, 'u')} {_fresh(second, 'v')}"
    yield _law(name, "differ", "equivalent", both, f"(= {term} {other})", "false")
    yield _law(name, "other-tester", "equivalent", _fresh(first, "u"), _tester(second.name, term), "false")
    excluded = f"(not {_tester(second.name, 'x')})"
    yield _law(name, "tester-excludes", "implies", f"(x {sort})", _tester(first.name, "x"), excluded)


def _law(about: str, what: str, kind: str, binders: str, left: str, right: str) -> str:
    return f"(law {quote(f'{about}.{what}')} {kind} ({binders}) {left} {right})"


def _tester(constructor: str, term: str) -> str:
    return f"((_ is {quote(constructor)}) {term})"


def _binder_list(constructor: Constructor, letter: str) -> list[str]:
    return [f"({letter}{n} {sort_text(sort)})" for n, (_, sort) in enumerate(constructor.selectors)]


def _fresh(constructor: Constructor, letter: str) -> str:
    return " ".join(_binder_list(constructor, letter))


def _made(constructor: Constructor, datatype: Datatype, letter: str) -> str:
    return _applied(constructor, datatype, [f"{letter}{n}" for n in range(len(constructor.selectors))])


def _applied(constructor: Constructor, datatype: Datatype, args: list[str]) -> str:
    head = quote(constructor.name)
    if datatype.params:
        # The arguments may not determine all parameters (nil), so the sort is written.
        head = f"(as {head} {sort_text(datatype.sort)})"
    return f"({head} {' '.join(args)})" if args else head
