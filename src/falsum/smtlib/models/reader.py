"""Reads models as solvers print them.

    read_model(text, script) -> Model

Each definition is read by itself: if one cannot be read, only its symbol is unreadable. Functions that the
script does not declare are kept by name.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from falsum.errors import FalsumError, ScriptError
from falsum.smtlib.models import dialects
from falsum.smtlib.models.constructors import qualified
from falsum.smtlib.models.fit import as_sort, fitted
from falsum.smtlib.models.heap import read_heap
from falsum.smtlib.models.model import Definition, Model, bare_model, declared_functions, overload
from falsum.smtlib.models.split_model import Form, forms_of
from falsum.smtlib.scripts import Script
from falsum.smtlib.sorts import Sort, function
from falsum.smtlib.syntax.commands import new_function
from falsum.smtlib.syntax.final_scope import scope_of_all
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.syntax.scope import Scope
from falsum.smtlib.terms import (
    Function,
    Term,
    Value,
    sort_text,
    value,
    var,
)
from falsum.smtlib.text.lexer import chunks, place_of, quote, symbol_name
from falsum.smtlib.values.elements import Element
from falsum.smtlib.walk import subterms


def read_model(text: str, script: Script, file: str = "") -> Model:
    """Read a model that a solver printed for a script; raises ScriptError if the text is not a model."""
    # cvc5 1.0 quotes only a part of an element's name; offsets in the text stay the same.
    text = _HALF_QUOTED.sub(r"|@\1_\2|", text)
    reading = _Reading(text, file, scope_of_all(script), {f.name: f for f in declared_functions(script)})
    reading.read()
    reading.finish()
    bare = bare_model(script)
    return Model(
        {**reading.definitions, **bare.definitions},
        reading.universes,
        bare.datatypes,
        reading.named,
        reading.unreadable,
        frozenset(reading.listed),
        read_heap(reading.heap.text, script, reading.scope) if reading.heap is not None else None,
    )


class _Header(NamedTuple):
    """A definition without its body."""

    form: Form
    parser: Parser
    symbol: Function
    binders: list[tuple[str, Sort]]


_WORD: Final = re.compile(r"\(\s*([^\s()|]*)")
# A sort and its elements, as cvc4 and cvc5 list them, in comments or, with some options, as declarations.
_ELEMENTS: Final = re.compile(
    r"^; cardinality of (.+) is (\d+)\n(?:\(declare-sort .*\n)?((?:(?:; rep: |\(declare-fun ).*\n)*)",
    re.MULTILINE,
)
_ELEMENT: Final = re.compile(r"; rep: (.*)|\(declare-fun (\|[^|]*\||\S+) \(\) (.*)\)")
_HALF_QUOTED: Final = re.compile(r"@\|([^|\n]*)\|_(\d+)")
# Only from the start of a word: a match tried at each character of a long numeral takes quadratic time.
_UNDECLARED_ELEMENT: Final = re.compile(r"\|[^|\n]*!val!\d+\||(?<![^\s()|;])[^\s()|;]+!val!\d+")
# yices prints irrational numbers as decimals with six digits; exact values never have this form.
_APPROXIMATION: Final = re.compile(r"(?<![\w.])-?\d+\.\d{6}(?![\w.])")


# Most definitions: a symbol without arguments is a literal. Decimals are left to the parser, see above.
_LITERAL_DEFINITION: Final = re.compile(
    r"\(define-fun ([^\s()|;\"]+) \(\)\s+(\w+|\(_ BitVec \d+\))\s+"
    r"(#b[01]{1,64}|#x[0-9a-fA-F]{1,64}|true|false|\d{1,64})\s*\)"
)


@lru_cache(maxsize=4096)
def _literal(text: str, sort: Sort) -> Definition | None:
    """A constant that is a literal of its sort; None if the literal has another sort."""
    term = Parser(text).term()
    return Definition((), term) if term.sort is sort else None


@dataclass(slots=True)
class _Reading:
    """The state of reading one model."""

    text: str
    file: str
    scope: Scope
    functions: dict[str, Function]
    definitions: dict[Function, Definition] = field(default_factory=dict)
    universes: dict[Sort, tuple[Hashable, ...]] = field(default_factory=dict)
    named: dict[str, tuple[Function, Definition]] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    listed: set[Sort] = field(default_factory=set)
    heap: Form | None = None

    def read(self) -> None:
        if dialects.is_bit_lines(self.text):
            self._read_forms([Form(0, t) for _, t in dialects.bit_lines(self.text, self.functions)])
            return
        if dialects.is_equations(self.text):
            try:
                equations = dialects.equations(self.text, self.functions)
            except ValueError as error:
                raise ScriptError(str(error), 1, 1, self.file) from error
            self._read_forms([Form(0, text) for _, text in equations])
            return
        self._read_comments()
        self._find_elements()
        self._read_forms(list(forms_of(self.text, self.file)))

    # -- elements of declared sorts ----------------------------------------------------------------

    def _read_comments(self) -> None:
        for match in _ELEMENTS.finditer(self.text):
            try:
                sort = self._parser(Form(0, match[1])).sort()
            except FalsumError:
                continue
            lines = [line for line in map(_ELEMENT.fullmatch, match[3].splitlines()) if line is not None]
            own = [line[1] or line[2] for line in lines if line[3] in (None, match[1])]
            # What is listed may be declared as well.
            names = tuple(dict.fromkeys(map(_element_name, own)))
            for name in names:
                self._add_element(name, sort)
            # A list that is not whole is no universe.
            if len(names) == int(match[2]):
                self.universes[sort] = tuple(map(Element, names))
                self.listed.add(sort)

    def _add_element(self, name: str, sort: Sort) -> None:
        if self.scope.is_builtin(sort):
            return  # z3 4.8 has printed "elements" of Int; definitions that use them are unreadable
        self.scope.atoms[quote(name)] = value(sort, Element(name), f"(as {quote(name)} {sort_text(sort)})")

    def _find_elements(self) -> None:
        """Adds the elements that z3 uses without declaring them."""
        for match in _UNDECLARED_ELEMENT.finditer(self.text):
            sort = self.scope.sorts.get(quote(symbol_name(match[0]).rpartition("!val!")[0]))
            if sort is not None and not sort.arity and sort.body is None:
                name = symbol_name(match[0])
                self._add_element(name, Sort(name.rpartition("!val!")[0]))

    def _read_universe(self, form: Form) -> None:
        """Reads `(forall ((x S)) (or (= x S!val!0) …))`, which lists all elements."""
        term = self._parser(form).term()
        elements = [t for t in subterms(term) if isinstance(t, Value) and isinstance(t.payload, Element)]
        if elements:
            self.universes[elements[0].sort] = tuple(dict.fromkeys(t.payload for t in elements))

    # -- definitions -------------------------------------------------------------------------------

    def _read_forms(self, forms: list[Form]) -> None:
        """Reads declarations and headers first, since a body may use what is defined later, then bodies."""
        headers: list[_Header] = []
        for form in forms:
            match = _WORD.match(form.text)
            word = match[1] if match is not None else ""
            try:
                if word == "define-fun" and self._is_literal(form):
                    continue
                if word in ("define-fun", "define-fun-rec", "define-const"):
                    headers.append(self._header(form, word))
                elif word == "define-funs-rec":
                    self._several(form)
                elif word == "declare-fun":
                    self._declared(form)
                elif word == "heap":
                    self.heap = form
                elif word == "forall":
                    self._read_universe(form)
                elif word not in ("declare-sort", "declare-datatypes", "declare-datatype", "error"):
                    headers.append(self._pair(form))
            except FalsumError as error:
                self._give_up(form, _name_in(form), error)
        atoms, heads = dict(self.scope.atoms), dict(self.scope.heads)
        for header in headers:
            try:
                self._define(header)
            except FalsumError as error:
                self._give_up(header.form, header.symbol.name, error)
                # Variables that were bound at the error must not stay bound.
                self.scope.atoms, self.scope.heads = dict(atoms), dict(heads)

    def _is_literal(self, form: Form) -> bool:
        """Keep a definition that is a literal, which needs no scope; return whether it is one."""
        match = _LITERAL_DEFINITION.fullmatch(form.text)
        own = self.functions.get(match[1]) if match is not None else None
        if match is None or own is None or own.args or self.scope.functions(quote(own.name)) != (own,):
            return False
        definition = _literal(match[3], own.result) if sort_text(own.result) == match[2] else None
        if definition is not None:
            self.definitions[own] = definition
        return definition is not None

    def _parser(self, form: Form) -> Parser:
        parser = Parser(form.text, self.file)
        parser.scope = self.scope
        return parser

    def _header(self, form: Form, word: str) -> _Header:
        parser = self._parser(form)
        parser.expect("(")
        parser.next()
        name = parser.symbol()
        binders = [] if word == "define-const" else parser.sorted_vars()
        result = parser.sort()
        symbol = new_function(name, tuple(sort for _, sort in binders), result)
        self._declare(symbol)
        return _Header(form, parser, symbol, binders)

    def _declare(self, symbol: Function) -> None:
        """Declares an auxiliary function; the script's own are known already."""
        if symbol.name not in self.functions and not self.scope.functions(quote(symbol.name)):
            self.scope.declare(symbol)

    def _pair(self, form: Form) -> _Header:
        """Reads `(x 5)`, a symbol and its value, as `(get-value …)` prints them."""
        parser = self._parser(form)
        parser.expect("(")
        symbol = self.functions.get(parser.symbol())
        if symbol is None or symbol.args:
            parser.fail("expected a definition")
        return _Header(form, parser, symbol, [])

    def _declared(self, form: Form) -> None:
        """Reads `(declare-fun S!val!0 () S)`, an element."""
        parser = self._parser(form)
        parser.expect("(")
        parser.next()
        name = parser.symbol()
        parser.expect("(")
        parser.expect(")")
        self._add_element(name, parser.sort())

    def _several(self, form: Form) -> None:
        parser = self._parser(form)
        parser.expect("(")
        parser.next()
        parser.expect("(")
        headers = []
        while parser.next() == "(":
            name = parser.symbol()
            binders = parser.sorted_vars()
            symbol = new_function(name, tuple(sort for _, sort in binders), parser.sort())
            parser.expect(")")
            self._declare(symbol)
            headers.append(_Header(form, parser, symbol, binders))
        parser.expect("(")
        for header in headers:
            self._define(header)

    def _define(self, header: _Header) -> None:
        approximate = _APPROXIMATION.search(header.form.text)
        if approximate is not None and (approximate[0][0] == "-" or not self.text.lstrip().startswith("((")):
            self._refuse_approximation(approximate[0])
        parser, symbol = header.parser, header.symbol
        outer_bindings = parser.bind(header.binders)
        if any(datatype.params for datatype in self.scope.datatypes.values()):
            body = self._qualified_body(header)
        else:
            body = parser.term()
        parser.unbind(outer_bindings)
        rest = symbol.args[len(header.binders) :]
        target_sort = function(rest, symbol.result) if rest else symbol.result
        converted = as_sort(body, target_sort)
        if converted is None:
            parser.fail(f"the body has sort {body.sort}, not {target_sort}")
        definition = Definition(tuple(var(name, sort) for name, sort in header.binders), converted)
        self._keep(symbol, definition)

    def _qualified_body(self, header: _Header) -> Term:
        """The body, with the sorts that z3 leaves out of constructors; errors have no place inside it."""
        rest = header.parser.verbatim(header.parser.next())
        binders = {quote(name): sort for name, sort in header.binders}
        text = qualified(rest, header.symbol.result, binders, self.scope.datatypes)
        try:
            return self._parser(Form(header.form.offset, text)).term()
        except ScriptError as error:
            raise ScriptError(error.message, 1, 1, self.file) from error

    def _refuse_approximation(self, number: str) -> None:
        if re.search(r"^(\(model|\(= )", self.text, re.MULTILINE) or number[0] == "-":
            raise ScriptError(f"{number} is only an approximation of the value", 1, 1, self.file)

    def _keep(self, symbol: Function, definition: Definition) -> None:
        own = self.functions.get(symbol.name)
        candidates = [f for f in self.scope.functions(quote(symbol.name)) if f.role == "declared"]
        for candidate in [*candidates, *([own] if own is not None else [])]:
            if (
                symbol.name in self.functions
                and (fitted_definition := fitted(candidate, definition)) is not None
            ):
                self.definitions[candidate] = fitted_definition
                return
        earlier = self.named.get(symbol.name)
        overloads = earlier is not None and earlier[0].args != symbol.args
        self.named[overload(symbol.name, symbol.args) if overloads else symbol.name] = (symbol, definition)
        if own is not None:
            self.unreadable[symbol.name] = f"it is defined with another rank: {symbol.expectation}"

    def _give_up(self, form: Form, name: str, error: FalsumError) -> None:
        reason = str(error)
        if isinstance(error, ScriptError):
            line, column = place_of(self.text, form.offset)
            at = f"{line + error.line - 1}:{error.column + (column - 1 if error.line == 1 else 0)}"
            reason = f"{at}: {error.message}"
        self.unreadable[name] = reason

    def finish(self) -> None:
        """Finish reading: an unreadable definition without a known name may belong to any undefined
        symbol.
        """
        for name, reason in list(self.unreadable.items()):
            if name not in self.functions and name not in self.named:
                for other in self.functions.values():
                    if other not in self.definitions:
                        self.unreadable.setdefault(other.name, reason)


def _element_name(text: str) -> str:
    """The name in `(as @S_0 S)`, or the text."""
    tokens = [token for chunk in chunks(text) for token in chunk.tokens]
    return symbol_name(tokens[2] if tokens[:2] == ["(", "as"] and len(tokens) > 2 else text.strip())


def _name_in(form: Form) -> str:
    """The name that a form seems to define, for an error message."""
    match = re.match(r"\(\s*(?:(?:define|declare)\S*\s+)?(\|[^|]*\||[^\s()]+)", form.text)
    return symbol_name(match[1]) if match is not None else ""
