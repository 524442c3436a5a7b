"""Whether a term can be derived from a grammar of a synthesis problem.

A table says for each distinct subterm which patterns it is an instance of: the nonterminals, and every part
of a rule. It is filled from the smallest subterm on. Where a term is derivable only if it may be spelled in
another way (applications to several arguments nested, definitions inlined), the answer is *cannot say*.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from falsum.defects.evidence.assessment import Assessment
from falsum.defects.finding import shortened
from falsum.smtlib import print_term
from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.values_as_terms import write_value
from falsum.smtlib.scripts import Command, DefineFun
from falsum.smtlib.sorts import BOOL, INT, REAL, STRING
from falsum.smtlib.substitution import substitute
from falsum.smtlib.syntax.grammars import AnyConstant, AnyVariable, Pattern, SynthesisGrammar
from falsum.smtlib.terms import Annotated, App, Function, Head, Let, Term, Value, Var, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms, transform

_MINUS: Final = Head(OPERATORS["-"])
_DIVIDED: Final = Head(OPERATORS["/"])
# Sorts whose constants are known by their syntax.
_BASIC: Final = frozenset((BOOL.name, INT.name, REAL.name, STRING.name, "BitVec"))
_MOST_PRINTED: Final = 10_000
_MOST_VISITED: Final = 2_000_000
_NESTED: Final = ("left-assoc", "right-assoc", "nary")
_CHAINED: Final = ("chainable", "pairwise")


def assess_derivation(grammar: SynthesisGrammar, body: Term, before: Sequence[Command]) -> Assessment:
    """Whether the body of a function is derivable; `before` are the commands before the function."""
    if not all(map(_is_expandable, [body, *(c.body for c in before if isinstance(c, DefineFun))])):
        return Assessment(None, "it has too many lets")
    body = _expanded(body)
    strict = _Table(grammar, is_strict=True)
    strict.fill(body)
    if grammar.start in strict.states[body]:
        return Assessment(True, f"{grammar.start.name} gives it")
    inlined, plain = _inlined(grammar, body, before)
    loose = _Table(inlined, is_strict=False)
    loose.fill(plain)
    if grammar.start in loose.states[plain] or loose.has_chains:
        return Assessment(None, "it follows the grammar only if it may be spelled in another way")
    term, size = loose.smallest_without_rule(plain)
    # With `let` expanded, a term may be too large to be printed.
    text = shortened(print_term(term)) if size <= _MOST_PRINTED else f"a term of at least {size} nodes"
    if loose.states[term]:
        return Assessment(
            False, f"every part is given by a rule, but {grammar.start.name} does not give {text}"
        )
    return Assessment(False, f"no rule of the grammar gives {text}")


def _is_expandable(term: Term) -> bool:
    """Whether all lets of a term can be expanded in reasonable time, since each takes a walk over the
    term.
    """
    lets = nodes = 0
    for part in subterms(term):
        lets += isinstance(part, Let)
        nodes += 1
    return lets * nodes <= _MOST_VISITED


def _expanded(term: Term) -> Term:
    """The term without `let`, annotations and negative numerals, which have several spellings."""
    return transform(term, _expand)


def _expand(term: Term) -> Term | None:
    if isinstance(term, Let):
        return substitute(term.body, dict(zip(term.binders, term.values, strict=True)))
    if isinstance(term, Annotated):
        return term.body
    if isinstance(term, Value) and term.text.startswith("-") and term.sort in (INT, REAL):
        return app(_MINUS, (write_value(term.sort, -term.payload),))
    return None


def _inlined(
    grammar: SynthesisGrammar, body: Term, before: Sequence[Command]
) -> tuple[SynthesisGrammar, Term]:
    """SynthesisGrammar and body with definitions in place of calls."""
    bodies: dict[Function, tuple[tuple[Var, ...], Term]] = {}

    def inline(term: Term) -> Term | None:
        if isinstance(term, App) and isinstance(term.head.symbol, Function) and term.head.symbol in bodies:
            binders, defined = bodies[term.head.symbol]
            if len(binders) == len(term.args):
                return substitute(defined, dict(zip(binders, term.args, strict=True)))
        return None

    for command in before:
        if isinstance(command, DefineFun) and command.word != "define-fun-rec":
            bodies[command.function] = (command.binders, transform(_expanded(command.body), inline))
    rules = {
        symbol: tuple(
            p if isinstance(p, AnyConstant | AnyVariable) else transform(_expanded(p), inline)
            for p in patterns
        )
        for symbol, patterns in grammar.rules.items()
    }
    return SynthesisGrammar(grammar.parameters, rules), transform(body, inline)


class _Table:
    """For each subterm the patterns it is an instance of; strictly as written, or with other spellings."""

    def __init__(self, grammar: SynthesisGrammar, *, is_strict: bool) -> None:
        self.is_strict = is_strict
        self.parameters = frozenset(grammar.parameters)
        self.states: dict[Term, dict[Pattern, None]] = {}
        # Whether a rule has a comparison of several arguments, which may be written as a conjunction.
        self.has_chains = False
        self._is_closed: dict[Term, bool] = {}
        # Patterns by their shape and first argument, so that long rules do not take quadratic time.
        self._by_first: dict[Hashable, list[App]] = {}
        self._leaves: dict[Hashable, list[Pattern]] = {}
        self._any: list[AnyConstant | AnyVariable] = []
        # What an operator is applied to in any rule, for operators with any number of arguments.
        self._operands: dict[Operator, dict[Pattern, None]] = {}
        self._by_operator: dict[Operator, list[App]] = {}
        # How many operands such an application has, nested ones included, and whether rules have them all.
        self._spreads: dict[Term, tuple[int, bool]] = {}
        # The nonterminals that have a pattern as a rule.
        self._owners: dict[Pattern, list[Var]] = {}
        open_patterns: dict[Pattern, None] = dict.fromkeys(grammar.rules)
        for symbol, patterns in grammar.rules.items():
            for pattern in patterns:
                if isinstance(pattern, AnyConstant | AnyVariable):
                    self._any.append(pattern)
                    self._owners.setdefault(pattern, []).append(symbol)
                    continue
                whole = _expanded(pattern)
                self._owners.setdefault(whole, []).append(symbol)
                for part in subterms(whole):
                    if part not in open_patterns:
                        open_patterns[part] = None
                        self._add(part)

    def _add(self, pattern: Term) -> None:
        if isinstance(pattern, App) and pattern.args:
            self._by_first.setdefault((self._shape(pattern), pattern.args[0]), []).append(pattern)
            if (operator := _repeatable(pattern)) is not None:
                self._by_operator.setdefault(operator, []).append(pattern)
                # Arguments with the same operator are patterns themselves.
                parts = [arg for arg in pattern.args if not _nests(operator, arg)]
                self._operands.setdefault(operator, {}).update(dict.fromkeys(parts))
                self.has_chains |= len(pattern.args) > 2 and not _is_associative(operator)
        else:
            self._leaves.setdefault(self._shape(pattern), []).append(pattern)
        if (number := _number(pattern)) is not None:
            self._leaves.setdefault(number, []).append(pattern)

    def _shape(self, term: Term) -> Hashable:
        if isinstance(term, Value):
            return term.sort, term.payload.__class__, term.payload
        if isinstance(term, App):
            head = term.head
            if self.is_strict or isinstance(head.symbol, Function):
                return head.symbol, head.indices, head.qualifier, len(term.args)
            return head.symbol.canonical, head.indices, len(term.args)
        return term

    def fill(self, body: Term) -> None:
        todo = [body]
        while todo:
            term = todo[-1]
            args = term.args if isinstance(term, App) else ()
            missing = [arg for arg in args if arg not in self.states]
            if term not in self.states and missing:
                todo += reversed(missing)
                continue
            todo.pop()
            if term not in self.states:
                self._is_closed[term] = self._closes(term, args)
                self.states[term] = self._instances(term)

    def _closes(self, term: Term, args: Sequence[Term]) -> bool:
        """Whether a term is made of operators, constructors and constants only."""
        if isinstance(term, App):
            symbol = term.head.symbol
            is_fixed = isinstance(symbol, Operator) or symbol.role == "constructor"
            return is_fixed and all(self._is_closed[arg] for arg in args)
        return isinstance(term, Value)

    def _instances(self, term: Term) -> dict[Pattern, None]:
        shape, number = self._shape(term), _number(term)
        patterns: dict[Pattern, None] = dict.fromkeys(self._leaves.get(shape, ()))
        if number is not None:
            patterns.update(dict.fromkeys(self._leaves.get(number, ())))
        if isinstance(term, App):
            firsts = self.states[term.args[0]] if term.args else ()
            for pattern in [p for first in firsts for p in self._by_first.get((shape, first), ())]:
                if all(p in self.states[arg] for p, arg in zip(pattern.args, term.args, strict=True)):
                    patterns[pattern] = None
            if not self.is_strict:
                patterns.update(dict.fromkeys(self._respelled(term)))
        for special in self._any:
            if special.sort is term.sort and self._is_one(term, special):
                patterns[special] = None
        return self._with_owners(patterns)

    def _with_owners(self, patterns: dict[Pattern, None]) -> dict[Pattern, None]:
        """The patterns with the nonterminals that derive one of them, and those that derive these."""
        todo = list(patterns)
        while todo:
            for owner in self._owners.get(todo.pop(), ()):
                if owner not in patterns:
                    patterns[owner] = None
                    todo.append(owner)
        return patterns

    def _is_one(self, term: Term, special: AnyConstant | AnyVariable) -> bool:
        if isinstance(special, AnyVariable):
            return isinstance(term, Var) and term in self.parameters
        if isinstance(term, Value) or _number(term) is not None:
            return True
        return not self.is_strict and term.sort.name not in _BASIC and self._is_closed[term]

    def _respelled(self, term: App) -> Sequence[App]:
        """Patterns of the same operator, if it is applied to several operands and rules have each of them."""
        operator = _repeatable(term)
        if operator is None:
            return ()
        operands = self._operands.get(operator, {})
        count, fits = 0, True
        for arg in term.args:
            inner = (1, any(pattern in operands for pattern in self.states[arg]))
            if _nests(operator, arg):
                inner = self._spreads[arg]
            count, fits = count + inner[0], fits and inner[1]
        self._spreads[term] = (count, fits)
        return self._by_operator.get(operator, ()) if fits and count > 2 else ()

    def smallest_without_rule(self, body: Term) -> tuple[Term, int]:
        """The smallest subterm that is an instance of no pattern, or the body if there is none; and its
        size as a tree.
        """
        sizes: dict[Term, int] = {}
        for term in self.states:  # a term after its parts
            size = 1 + sum(sizes[arg] for arg in (term.args if isinstance(term, App) else ()))
            sizes[term] = min(size, 1 + _MOST_PRINTED)
        without = [term for term, patterns in self.states.items() if not patterns]
        smallest = min(without, key=sizes.__getitem__, default=body)
        return smallest, sizes[smallest]


def _number(term: Term) -> Hashable | None:
    """The value of a number that is written with a sign or as a fraction; None for anything else."""
    if not isinstance(term, App) or term.sort not in (INT, REAL) or not _is_literal(term):
        return None
    payload = payload_of(term, Model())
    return None if isinstance(payload, CannotSay) else (term.sort, payload.__class__, payload)


def _is_literal(term: Term) -> bool:
    """Whether a term is a numeral, its negation, or a fraction of these."""
    term = _converted(term)
    signs = 0
    if isinstance(term, App) and term.head is _MINUS and len(term.args) == 1:
        term, signs = _converted(term.args[0]), 1
    if isinstance(term, App) and term.head is _DIVIDED and len(term.args) == 2:
        first, second = map(_converted, term.args)
        if not signs and isinstance(first, App) and first.head is _MINUS and len(first.args) == 1:
            first = _converted(first.args[0])
        return isinstance(first, Value) and isinstance(second, Value)
    return isinstance(term, Value)


def _converted(term: Term) -> Term:
    """The term inside implicit conversions."""
    while isinstance(term, App) and isinstance(term.head.symbol, Operator) and term.head.symbol.is_implicit:
        (term,) = term.args
    return term


def _repeatable(term: App) -> Operator | None:
    """The operator of an application, if it takes any number of arguments."""
    symbol = term.head.symbol
    if isinstance(symbol, Function):
        return None
    kinds = {signature.associativity for signature in symbol.signatures}
    return symbol.canonical if not kinds.isdisjoint((*_NESTED, *_CHAINED)) else None


def _is_associative(operator: Operator) -> bool:
    return any(signature.associativity in _NESTED for signature in operator.signatures)


def _nests(operator: Operator, arg: Term) -> bool:
    """Whether an argument of an associative operator has the same operator."""
    return isinstance(arg, App) and _is_associative(operator) and _repeatable(arg) is operator
