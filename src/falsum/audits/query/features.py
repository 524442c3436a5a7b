"""Features: the operators, options and theories that a query uses, by its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from falsum.smtlib.text.command_text import split_commands
from falsum.smtlib.theories import OPERATORS, THEORIES

_WORD: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|([^\s()"|;:]++)')
_OPTION: Final = re.compile(r"\(\s*set-option\s+:([\w.-]+)\s+([^\s()]+)")
_BINDERS: Final = frozenset({"forall", "exists", "lambda", "match"})
_QUANTIFIERS: Final = frozenset({"forall", "exists"})
# Commands that other parts of a solver answer than assertions and plain checks.
_TELLING: Final = frozenset(
    "push check-sat-assuming check-sat-using minimize maximize assert-soft define-fun-rec define-funs-rec "
    "declare-datatypes".split()
)
_PLURAL: Final = {"declare-datatype": "declare-datatypes"}
_COMMANDS: Final = frozenset({"assert", "define-fun", "define-fun-rec", "check-sat-assuming"})
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Features:
    """The features of a query: `words` are operators, by their present names, binders, and commands beyond
    assertions and plain checks; `options` are `name=value`.
    """

    words: frozenset[str]
    options: frozenset[str]

    @property
    def theories(self) -> tuple[str, ...]:
        names = {theory for word in self.words if (theory := _theory_of().get(word))}
        quantified = {"quantifiers"} if self.words & _QUANTIFIERS else set()
        return tuple(sorted(names | quantified))


@lru_cache(maxsize=8)
def features_of(text: str) -> Features:
    words: set[str] = set()
    options: set[str] = set()
    telling: set[str] = set()
    for command in split_commands(text)[0]:
        telling.update({_PLURAL.get(command.name, command.name)} & _TELLING)
        if command.name == "set-option":
            options.update("=".join(option) for option in _OPTION.findall(command.text))
        elif command.name in _COMMANDS:
            words.update(_WORD.findall(command.text))
    operators = {OPERATORS[word].canonical.name for word in words if word in OPERATORS} | (words & _BINDERS)
    return Features(frozenset(operators | telling), frozenset(options))


@cache
def _theory_of() -> dict[str, str]:
    """The theory of each operator; those of Core are in every query."""
    return {
        operator.name: theory.adjective or theory.name
        for theory in THEORIES
        if theory.name != "Core"
        for operator in theory.operators
    }


def cluster_of(reason: str, text: str) -> str:
    """The cluster of a query, by probable cause: the reason, and the theories used."""
    theories = ", ".join(features_of(text).theories) or "no theory"
    return f"{_NUMBER.sub('N', reason)} · {theories}"
