"""TitleSubject: what a finding is about, in the few words of a title: theories, operators, commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from falsum.defects.identity.signature import operators_of
from falsum.errors import ScriptError
from falsum.smtlib import Script, read_script
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import CheckSatAssuming, Plain
from falsum.smtlib.terms import App, Function, Lambda, Let, Match, Term
from falsum.smtlib.theories import THEORIES, THEORY_OF_SORT
from falsum.smtlib.walk import subterms

# Operators that nearly every script of their theory has: they tell little about a bug.
_EVERYDAY: Final = frozenset(
    "+ - * < <= > >= select store concat extract bvadd bvsub bvult bvule bvslt bvsle bvand bvor bvnot bvneg "
    "str.++ str.len seq.++ seq.len seq.unit fp.eq fp.lt fp.leq fp set.member set.union set.singleton".split()
)
_MOST_OPERATORS: Final = 2
# What is no theory of its own, as a word before "formula".
_ADJECTIVES: Final = {"quantifiers": "quantified", "uf": "UF", "datatypes": "datatype"}
# Connectives that are rare enough to tell something, if no theory has an operator in the script.
_CONNECTIVES: Final = frozenset({"xor", "ite", "distinct", "=>"})
_BINDERS: Final = {Let: "let", Lambda: "lambda", Match: "match"}
# By the role of a function that a datatype brings: the word for it.
_ROLES: Final = {"tester": "is", "updater": "update", "selector": "selectors"}
_DATATYPES: Final = "datatypes"
_RESET: Final = "reset-assertions"


@dataclass(frozen=True, slots=True)
class TitleSubject:
    """What a title is about: `about` are the theories, `using` the operators; `whole` replaces both where
    commands matter more.
    """

    about: str
    using: str = ""
    whole: str = ""

    def noun(self, adjective: str = "") -> str:
        """The subject with an article: "a satisfiable arithmetic formula with div"."""
        if self.whole:
            return self.whole
        words = " ".join(filter(None, (adjective, self.about)))
        return f"{_article(words)} {words} formula{self.using}"


def subject_of_script(text: str) -> TitleSubject:
    try:
        script = read_script(text)
    except ScriptError:
        return subject_of((), ())
    terms = (*script.assertions, *(term for command in script.commands for term in _assumptions(command)))
    theories, operators = operators_of(terms)
    if roles := _datatype_roles(terms):
        theories = [_DATATYPES, *(name for name in theories if name != "uf")]
        operators = [*operators, *roles]
    binders, connectives = _binders_and_connectives(terms)
    telling = [name for name in operators if name not in _EVERYDAY] or binders or operators or connectives
    subject = subject_of(theories or _theories_of_sorts(terms), telling)
    return TitleSubject(subject.about, subject.using, _commands(script))


def subject_of(theories: Sequence[str], operators: Iterable[str]) -> TitleSubject:
    """Theories in a few words, and the operators that matter most."""
    telling_words = _ADJECTIVES | {theory.name: theory.adjective for theory in THEORIES if theory.adjective}
    words = [telling_words.get(theory, theory.lower()) for theory in theories[:3]]
    about = " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "Boolean"
    names = list(operators)
    telling = [name for name in names if name not in _EVERYDAY] or names
    using = " and ".join(telling[:_MOST_OPERATORS])
    return TitleSubject(about, f" with {using}" if using else "")


def _commands(script: Script) -> str:
    """The commands, if they tell more than the formula; otherwise ""."""
    for command in script.commands:
        literals = {print_term(term) for term in _assumptions(command)}
        if any(f"(not {literal})" in literals for literal in literals):
            return "check-sat-assuming with contradicting assumptions"
    names = [command.word for command in script.commands if isinstance(command, Plain)]
    if _RESET in names:
        after = [name for name in names[names.index(_RESET) + 1 :] if name.startswith("get-")]
        return f"{after[0]} after {_RESET}" if after else ""
    return ""


def _assumptions(command: object) -> tuple[Term, ...]:
    return command.terms if isinstance(command, CheckSatAssuming) else ()


def _binders_and_connectives(terms: Iterable[Term]) -> tuple[list[str], list[str]]:
    binders, connectives = set(), set()
    for term in terms:
        for part in subterms(term):
            if type(part) in _BINDERS:
                binders.add(_BINDERS[type(part)])
            elif isinstance(part, App) and isinstance(part.head.symbol, Operator):
                connectives.add(part.head.symbol.canonical.name)
    return sorted(binders), sorted(connectives & _CONNECTIVES)


def _datatype_roles(terms: Iterable[Term]) -> list[str]:
    """Testers, updaters and selectors in terms, which are functions of the script."""
    roles = {
        _ROLES[part.head.symbol.role]
        for term in terms
        for part in subterms(term)
        if isinstance(part, App)
        and isinstance(part.head.symbol, Function)
        and part.head.symbol.role in _ROLES
    }
    return sorted(roles)


def _theories_of_sorts(terms: Iterable[Term]) -> list[str]:
    """The theories of the sorts in terms; for terms without operators, such as equations between
    constants.
    """
    owners = {THEORY_OF_SORT.get(part.sort.name) for term in terms for part in subterms(term)}
    return sorted(owner.name for owner in owners if owner is not None and owner.name != "Core")


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" and not word.startswith("UF") else "a"
