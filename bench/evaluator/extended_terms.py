"""Random ground terms of the operators that solvers add to the standard: collections, functions on them, real
functions, finite fields and others.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from random import Random
from typing import Final

from bench.evaluator.ground_terms import Maker

from falsum.errors import FalsumError
from falsum.smtlib import print_term, read_script
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Assert
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import BOOL, INT, REAL, STRING, Bindings, Sort, bitvec
from falsum.smtlib.substitution import substitute
from falsum.smtlib.terms import App, Head, Let, Term, lambda_, var
from falsum.smtlib.terms import app as applied
from falsum.smtlib.theories import ALL, OPERATORS
from falsum.smtlib.theories.core import equation

_ITE: Final = Head(OPERATORS["ite"])
_ATTEMPTS: Final = 60
_PRIMES: Final = (2, 3, 5, 7, 11, 13, 17)
_ROW: Final = Sort("Tuple", (), (INT, INT))
_RELATION, _TABLE = Sort("Set", (), (_ROW,)), Sort("Bag", (), (_ROW,))
_FOLD: Final = Sort("->", (), (_ROW, INT, INT))
_NULLABLE: Final = Sort("Nullable", (), (INT,))
# Indices and argument sorts of operators that no signature describes.
_BY_RULE: Final[dict[str, tuple[str, tuple[Sort, ...]]]] = {
    "tuple": ("tuple", (INT, BOOL)),
    "tuple.select": ("(_ tuple.select 1)", (_ROW,)),
    "tuple.update": ("(_ tuple.update 0)", (_ROW, INT)),
    "tuple.project": ("(_ tuple.project 1 0 1)", (_ROW,)),
    "nullable.lift": ("(_ nullable.lift +)", (_NULLABLE, _NULLABLE)),
    "set.insert": ("set.insert", (INT, INT, Sort("Set", (), (INT,)))),
    "rel.join": ("rel.join", (_RELATION, _RELATION)),
    "rel.product": ("rel.product", (_RELATION, _RELATION)),
    "rel.table_join": ("(_ rel.table_join 0 1)", (_RELATION, _RELATION)),
    "rel.transpose": ("rel.transpose", (_RELATION,)),
    "rel.tclosure": ("rel.tclosure", (_RELATION,)),
    "rel.iden": ("rel.iden", (Sort("Set", (), (Sort("Tuple", (), (INT,)),)),)),
    "rel.join_image": ("rel.join_image", (_RELATION, INT)),
    "rel.group": ("(_ rel.group 0)", (_RELATION,)),
    "rel.aggr": ("(_ rel.aggr 0)", (_FOLD, INT, _RELATION)),
    "rel.project": ("(_ rel.project 1)", (_RELATION,)),
    "table.product": ("table.product", (_TABLE, _TABLE)),
    "table.join": ("(_ table.join 0 0)", (_TABLE, _TABLE)),
    "table.group": ("(_ table.group 1)", (_TABLE,)),
    "table.aggr": ("(_ table.aggr 0)", (_FOLD, INT, _TABLE)),
    "table.project": ("(_ table.project 0)", (_TABLE,)),
    "mkbv": ("mkbv", (BOOL, BOOL, BOOL)),
}


def extended_operators() -> dict[str, Operator]:
    """The operators beyond the standard, by name, without other spellings of the same."""
    found = chain.from_iterable(theory.operators for theory in ALL)
    beyond = [o for o in found if not o.is_standard and o.alias_of is None and not o.is_implicit]
    return {o.name: o for o in beyond if o.signatures or o.name in _BY_RULE}


class ExtendedMaker(Maker):
    """Makes applications of extended operators to simple arguments."""

    def __init__(self, rng: Random, without: Collection[str] = ()) -> None:
        super().__init__(rng, without=without)
        self.operators = [pair for pair in self.operators if pair[0].theory in ("Core", "Arithmetic")]

    def application(self, operator: Operator, depth: int) -> Term | None:
        if operator.name in _BY_RULE:
            return self._by_rule(*_BY_RULE[operator.name])
        for _ in range(_ATTEMPTS):
            made = self._instance(operator, self.rng.choice(operator.signatures), None, min(depth, 2))
            if made is not None:
                return made
        return None

    def _by_rule(self, head: str, sorts: tuple[Sort, ...]) -> Term | None:
        args = [self.leaf(sort) for sort in sorts]
        known = [arg for arg in args if arg is not None]
        if len(known) < len(args):
            return None
        # Read, since only the reader knows what an index that is a function means.
        names = [f"a{place}" for place in range(len(known))]
        lets = " ".join(f"({n} {print_term(arg)})" for n, arg in zip(names, known, strict=True))
        text = f"(assert (let ({lets}) (let ((r ({head} {' '.join(names)}))) (= r r))))"
        try:
            command = read_script(text).commands[0]
        except FalsumError:
            return None
        assert isinstance(command, Assert)
        return _result(command.term, dict(zip(names, known, strict=True)))

    def leaf(self, sort: Sort) -> Term | None:
        if sort.name == "->":
            return self._function(sort)
        return super().leaf(sort)

    def _function(self, sort: Sort) -> Term | None:
        """A function of a few common shapes."""
        *params, result = sort.args
        binders = [var(f"x{place}", param) for place, param in enumerate(params)]
        same = [binder for binder in binders if binder.sort is result]
        first, second = self.leaf(result), self.leaf(result)
        key = self.leaf(binders[0].sort)
        if first is None or second is None or key is None:
            return None
        body: Term = self.rng.choice([first, *same])
        if self.rng.random() < 0.5:
            body = applied(_ITE, (equation(binders[0], key), body, second))
        elif result is INT and INT in params:
            body = applied(Head(OPERATORS["+"]), [*same, first])
        return lambda_("lambda", tuple(binders), (body,), sort)

    def _bind_formats(self, signature: Signature, bindings: Bindings) -> None:
        super()._bind_formats(signature, bindings)
        for pattern in (*signature.args, signature.result):
            for name in pattern.indices if pattern.name == "FiniteField" else ():
                if isinstance(name, str):
                    bindings.setdefault(name, self.rng.choice(_PRIMES))

    def _sort(self) -> Sort:
        return self.rng.choice((INT, INT, BOOL, REAL, STRING, bitvec(4)))


def _result(term: Term, values: dict[str, Term]) -> Term:
    """The application inside the lets, with the arguments in place of their names."""
    assert isinstance(term, Let)
    inner = term.body
    assert isinstance(inner, Let)
    (made,) = inner.values
    assert isinstance(made, App)
    return substitute(made, {binder: values[binder.name] for binder in term.binders})
