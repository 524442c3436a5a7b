"""Reads the grammars of functions to synthesise (SyGuS-IF 2.1).

    ((S Int) (B Bool)) ((S Int (x (Constant Int) (ite B S S))) (B Bool ((<= S S))))

Nonterminals are variables in the terms of the rules; the first one is the start symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from falsum.smtlib.scripts import Command, SynthFun
from falsum.smtlib.sorts import Sort
from falsum.smtlib.syntax.final_scope import scope_after
from falsum.smtlib.syntax.lenience import convert
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.syntax.scope import Scope
from falsum.smtlib.terms import Lambda, Let, Match, Quantifier, Term, Var, var
from falsum.smtlib.walk import subterms


@dataclass(frozen=True, slots=True)
class AnyConstant:
    """`(Constant S)`: any constant of a sort."""

    sort: Sort


@dataclass(frozen=True, slots=True)
class AnyVariable:
    """`(Variable S)`: any parameter of a sort."""

    sort: Sort


Pattern: TypeAlias = Term | AnyConstant | AnyVariable


class SynthesisGrammar(NamedTuple):
    """The parameters of a function, and for each nonterminal what it gives."""

    parameters: tuple[Var, ...]
    rules: dict[Var, tuple[Pattern, ...]]

    @property
    def start(self) -> Var:
        return next(iter(self.rules))


def read_grammar(command: SynthFun, before: Sequence[Command]) -> SynthesisGrammar:
    """The grammar of a function, after the commands before it; raises ScriptError if it cannot be read."""
    scope = Scope()
    scope.may_redeclare = True
    parser = Parser(f"{command.rest} )", scope=scope_after(before, scope))
    parser.bind([(parameter.name, parameter.sort) for parameter in command.binders])
    names = parser.sorted_vars()
    used_names = {parameter.name for parameter in command.binders}
    if not names or len({name for name, _ in names} | used_names) < len(names) + len(used_names):
        parser.fail("nonterminals without names of their own")
    parser.bind(names)
    rules: dict[Var, tuple[Pattern, ...]] = {}
    parser.expect("(")
    for name, sort in names:
        parser.expect("(")
        if (parser.symbol(), parser.sort()) != (name, sort):
            parser.fail(f"expected the rules of {name}")
        rules[var(name, sort)] = _read_rules(parser, sort)
        parser.expect(")")
    parser.expect(")")
    parser.expect(")")
    return SynthesisGrammar(command.binders, rules)


def _read_rules(parser: Parser, sort: Sort) -> tuple[Pattern, ...]:
    patterns: list[Pattern] = []
    parser.expect("(")
    while (token := parser.next()) != ")":
        text = parser.verbatim(token)
        special = _SPECIAL.get(text[1:].partition(" ")[0]) if token == "(" else None
        # Rules are read from their own text, since only their first word says what they are.
        rule = Parser(text, scope=parser.scope)
        if special is not None:
            rule.next()
            rule.symbol()
            pattern: Pattern | None = special(rule.sort())
            rule.expect(")")
        else:
            pattern = convert(rule.term(), sort)
            if pattern is not None and any(isinstance(part, _BINDERS) for part in subterms(pattern)):
                parser.fail(f"a rule that binds variables: {text}")
        if pattern is None or pattern.sort is not sort:
            parser.fail(f"a rule of another sort than {sort}: {text}")
        patterns.append(pattern)
    return tuple(patterns)


_BINDERS: Final = (Quantifier, Let, Lambda, Match)
_SPECIAL: Final[dict[str, type[AnyConstant | AnyVariable]]] = {
    "Constant": AnyConstant,
    "Variable": AnyVariable,
}
