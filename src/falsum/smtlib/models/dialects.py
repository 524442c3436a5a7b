"""Translates models that are not SMT-LIB into definitions: yices' equations, boolector's lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from falsum.smtlib.sorts import Sort, bitvec
from falsum.smtlib.terms import Function, sort_text
from falsum.smtlib.text.lexer import chunks, symbol_name
from falsum.smtlib.text.lexer import quote as quoted
from falsum.smtlib.text.sexpr import SExpr, read, write

# -- yices: (= x 5), and tables (function @fun_1 (type …) (= (@fun_1 7) 8) (default 5)) ------------------


def is_equations(text: str) -> bool:
    if "(define-fun" in text or _HEAP.search(text):
        return False
    return re.search(r"^\(= ", text, re.MULTILINE) is not None


# After a model of separation logic; it has an equation, too.
_HEAP: Final = re.compile(r"^\(heap\s*$", re.MULTILINE)


def equations(text: str, functions: Mapping[str, Function]) -> list[tuple[str, str]]:
    """The symbols of the script with their definitions as `define-fun` commands."""
    tables: dict[str, tuple[SExpr, ...]] = {}
    values: list[tuple[str, SExpr]] = []
    for form in read(token for chunk in chunks(text) for token in chunk.tokens):
        if not isinstance(form, tuple):
            continue
        if form[:1] == ("function",) and isinstance(form[1], str):
            tables[form[1]] = form
        elif form[:1] == ("=",) and len(form) == 3 and isinstance(form[1], str):
            values.append((symbol_name(form[1]), form[2]))
    return [(n, _definition(functions[n], value, tables)) for n, value in values if n in functions]


def _definition(function: Function, value: SExpr, tables: Mapping[str, tuple[SExpr, ...]]) -> str:
    binders = [f"x!{place}" for place in range(len(function.args))]
    table = tables.get(value) if isinstance(value, str) else None
    if binders and table is not None:
        body = _chain(function, binders, table, tables)
    else:
        body = _value(value, function.result, tables)
    typed = " ".join(f"({b} {sort_text(s)})" for b, s in zip(binders, function.args, strict=True))
    return f"(define-fun {quoted(function.name)} ({typed}) {sort_text(function.result)} {body})"


def _chain(
    function: Function,
    binders: Sequence[str],
    table: tuple[SExpr, ...],
    tables: Mapping[str, tuple[SExpr, ...]],
) -> str:
    out, close = [], ""
    for place, result in _entries(table):
        keys = zip(binders, place, function.args, strict=True)
        tests = [f"(= {binder} {_value(key, sort, tables)})" for binder, key, sort in keys]
        test = tests[0] if len(tests) == 1 else f"(and {' '.join(tests)})"
        out.append(f"(ite {test} {_value(result, function.result, tables)} ")
        close += ")"
    return "".join(out) + _value(_default(table), function.result, tables) + close


def _entries(table: tuple[SExpr, ...]) -> Iterator[tuple[tuple[SExpr, ...], SExpr]]:
    for part in table[2:]:
        if isinstance(part, tuple) and part[0] == "=" and isinstance(part[1], tuple):
            yield part[1][1:], part[2]


def _default(table: tuple[SExpr, ...]) -> SExpr:
    return next((part[1] for part in table[2:] if isinstance(part, tuple) and part[0] == "default"), ())


def _value(value: SExpr, sort: Sort, tables: Mapping[str, tuple[SExpr, ...]]) -> str:
    """A value as SMT-LIB text. Recursive, but tables nest no deeper than sorts."""
    if not isinstance(value, str):
        return write(value)
    if value in tables and sort.name == "Array":
        text = f"((as const {sort_text(sort)}) {_value(_default(tables[value]), sort.args[-1], tables)})"
        for place, result in _entries(tables[value]):
            parts = zip((*place, result), sort.args, strict=True)
            text = f"(store {text} {' '.join(_value(v, s, tables) for v, s in parts)})"
        return text
    return f"(as {value} {sort_text(sort)})" if value.startswith("@") else value


# -- boolector: `x 0101`, `a[00] 11`, and in later releases `2 0101 x`, `3[00] 11 a` ---------------------

_LINE: Final = re.compile(
    r"^(?:\d+(?P<at>\[[01x ]+\])? (?P<bits>[01x]+) (?P<name>\S+)"
    r"|(?P<name2>[^\s\[\]();]+|\|[^|]*\|)(?P<at2>\[[01x ]+\])? (?P<bits2>[01x]+))$"
)


def is_bit_lines(text: str) -> bool:
    return "(" not in text and any(_LINE.match(line) for line in text.splitlines())


def bit_lines(text: str, functions: Mapping[str, Function]) -> list[tuple[str, str]]:
    """As `equations`; a bit printed as x may be anything and becomes 0."""
    lines: dict[str, dict[tuple[str, ...], str]] = {}
    for line in text.splitlines():
        read_ = _LINE.match(line)
        if read_ is None:
            continue
        name = symbol_name(read_["name"] or read_["name2"])
        index = (read_["at"] or read_["at2"] or "").strip("[]").split()
        bits = (read_["bits"] or read_["bits2"]).replace("x", "0")
        lines.setdefault(name, {})[tuple(part.replace("x", "0") for part in index)] = bits
    return [(n, _bit_definition(functions[n], rows)) for n, rows in lines.items() if n in functions]


def _bit_definition(function: Function, rows: Mapping[tuple[str, ...], str]) -> str:
    name, result = quoted(function.name), sort_text(function.result)
    if function.args:
        binders = [f"x!{place}" for place in range(len(function.args))]
        body = _zero(function.result)
        for index, bits in rows.items():
            keys = zip(binders, index, function.args, strict=False)
            tests = " ".join(f"(= {b} {_bits(i, s)})" for b, i, s in keys)
            body = f"(ite (and true {tests}) {_bits(bits, function.result)} {body})"
        typed = " ".join(f"({b} {sort_text(s)})" for b, s in zip(binders, function.args, strict=True))
        return f"(define-fun {name} ({typed}) {result} {body})"
    if function.result.name != "Array":
        return f"(define-fun {name} () {result} {_bits(rows.get((), ''), function.result)})"
    index_sort, element = function.result.args[0], function.result.args[-1]
    body = f"((as const {result}) {_zero(element)})"
    for index, bits in rows.items():
        body = f"(store {body} {_bits(index[0] if index else '', index_sort)} {_bits(bits, element)})"
    return f"(define-fun {name} () {result} {body})"


def _zero(sort: Sort) -> str:
    width = sort.indices[0] if sort.indices else 1
    return _bits("0" * (width if isinstance(width, int) else 1), sort)


def _bits(bits: str, sort: Sort) -> str:
    if sort.name == "Bool":
        return "true" if bits == "1" else "false"
    return f"#b{bits}" if sort is bitvec(len(bits) or 1) else f"|{bits} is not of sort {sort.name}|"
