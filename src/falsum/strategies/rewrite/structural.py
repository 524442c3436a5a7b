"""Structural rewrites: equivalences that no law can express, because they are about binders, about any number
of arguments, or about any operator.

Each rule takes a term and returns an equivalent one, or None if it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple, TypeAlias

from falsum.smtlib import laws
from falsum.smtlib.logics import PRODUCTS
from falsum.smtlib.operators import Operator
from falsum.smtlib.substitution import fresh, rename_binders, substitute, symbols_in
from falsum.smtlib.terms import (
    Annotated,
    App,
    Function,
    Head,
    Lambda,
    Let,
    Match,
    Quantifier,
    Term,
    Var,
    app,
    let,
    quantifier,
    var,
)
from falsum.smtlib.text.sexpr import SExpr
from falsum.smtlib.theories import OPERATORS, kind_of, theory_cache
from falsum.smtlib.walk import free_variables, size

_NOT, _ITE, _EQUALS, _SELECT = (Head(OPERATORS[name]) for name in ("not", "ite", "=", "select"))
# Lets are inlined and definitions unfolded only in terms of at most so many subterms.
_MAX_SIZE: Final = 400


class ScriptContext(NamedTuple):
    """What rules may use: the definitions of a script, and what its logic allows."""

    bodies: Mapping[Function, tuple[tuple[Var, ...], Term]]
    is_linear: bool
    has_quantifiers: bool


Rule: TypeAlias = Callable[[Term, ScriptContext, Random], Term | None]


def permute(term: Term, _context: ScriptContext, rng: Random) -> Term | None:
    """The arguments of a commutative and associative operator in another order."""
    if not isinstance(term, App) or len(term.args) < 2 or _name(term) not in _unordered():
        return None
    args = list(term.args)
    rng.shuffle(args)
    return app(term.head, args)


def regroup(term: Term, _context: ScriptContext, rng: Random) -> Term | None:
    """`(f a b c)` as `(f (f a b) c)`, or the other way round."""
    if not isinstance(term, App):
        return None
    if len(term.args) > 2:
        chain = laws.binary(term)
        return chain if chain is not term else None
    if laws.associativity(term.head) not in ("left-assoc", "nary") or _name(term) not in _unordered():
        return None
    nested = [i for i, arg in enumerate(term.args) if isinstance(arg, App) and arg.head is term.head]
    if len(term.args) != 2 or not nested:
        return None
    place = nested[rng.randrange(len(nested))]
    inner = term.args[place]
    assert isinstance(inner, App)
    return app(term.head, (*term.args[:place], *inner.args, *term.args[place + 1 :]))


def lift_ite(term: Term, context: ScriptContext, rng: Random) -> Term | None:
    """`(f (ite c a b))` as `(ite c (f a) (f b))`."""
    if not isinstance(term, App) or not kind_of(term.sort).is_first_class or _name(term) == "ite":
        return None
    if context.is_linear and _name(term) in PRODUCTS:
        return None
    places = [i for i, arg in enumerate(term.args) if isinstance(arg, App) and _name(arg) == "ite"]
    if not places:
        return None
    place = places[rng.randrange(len(places))]
    choice = term.args[place]
    assert isinstance(choice, App)
    branches = [
        app(term.head, (*term.args[:place], branch, *term.args[place + 1 :])) for branch in choice.args[1:]
    ]
    return app(_ITE, (choice.args[0], *branches))


def introduce_let(term: Term, context: ScriptContext, rng: Random) -> Term | None:
    """`(f a b a)` as `(let ((v a)) (f v b v))`."""
    if not isinstance(term, App) or not term.args or (context.is_linear and _name(term) in PRODUCTS):
        return None
    if not isinstance(term.head.symbol, Operator) or _name(term) in _WANT_CONSTANTS:
        return None
    argument = term.args[rng.randrange(len(term.args))]
    name = fresh("v!1", symbols_in(term))
    binder = var(name, argument.sort)
    return let(
        (binder,), (argument,), app(term.head, [binder if arg is argument else arg for arg in term.args])
    )


def inline_let(term: Term, _context: ScriptContext, _rng: Random) -> Term | None:
    """The body of a `let` with its values substituted."""
    if not isinstance(term, Let) or size(term) > _MAX_SIZE:
        return None
    return substitute(term.body, dict(zip(term.binders, term.values, strict=True)))


def rename(term: Term, _context: ScriptContext, _rng: Random) -> Term | None:
    """Other names for the variables bound at the root of a term."""
    if isinstance(term, Quantifier | Lambda | Let):
        names = frozenset(binder.name for binder in term.binders)
    elif isinstance(term, Match):
        names = frozenset(binder.name for case in term.cases for binder in case.binders)
    else:
        return None
    renamed_term = rename_binders(term, names)
    return renamed_term if renamed_term is not term else None


def reorder_binders(term: Term, _context: ScriptContext, rng: Random) -> Term | None:
    """The variables of a quantifier in another order."""
    if not isinstance(term, Quantifier) or len(term.binders) < 2:
        return None
    names = {binder.name for binder in term.binders}
    if len(names) < len(term.binders):
        return None
    binders = list(term.binders)
    rng.shuffle(binders)
    return quantifier(term.kind, tuple(binders), term.body)


def split_or_merge(term: Term, _context: ScriptContext, rng: Random) -> Term | None:
    """A quantifier over several variables as two nested ones, or two nested ones of a kind as one."""
    if not isinstance(term, Quantifier):
        return None
    inner = term.body
    if isinstance(inner, Quantifier) and inner.kind == term.kind and not isinstance(inner.body, Annotated):
        names = {binder.name for binder in inner.binders}
        if names.isdisjoint(binder.name for binder in term.binders):
            return quantifier(term.kind, term.binders + inner.binders, inner.body)
    # A pattern must mention all variables of its quantifier.
    if len(term.binders) < 2 or isinstance(inner, Annotated):
        return None
    place = rng.randrange(1, len(term.binders))
    return quantifier(term.kind, term.binders[:place], quantifier(term.kind, term.binders[place:], inner))


def dualise(term: Term, _context: ScriptContext, _rng: Random) -> Term | None:
    """`(forall x p)` as `(not (exists x (not p)))`, and the other way round."""
    if not isinstance(term, Quantifier):
        return None
    body = term.body.body if isinstance(term.body, Annotated) else term.body
    other = "exists" if term.kind == "forall" else "forall"
    return app(_NOT, (quantifier(other, term.binders, app(_NOT, (body,))),))


def vacuous_quantifier(term: Term, context: ScriptContext, rng: Random) -> Term | None:
    """Drops quantified variables that do not occur, or adds a quantifier over one."""
    if isinstance(term, Quantifier) and not isinstance(term.body, Annotated):
        variables = free_variables(term.body)
        binders = tuple(binder for binder in term.binders if binder in variables)
        if len(binders) < len(term.binders):
            return quantifier(term.kind, binders, term.body) if binders else term.body
    if not context.has_quantifiers or not isinstance(term, Quantifier):
        return None
    binder = var(fresh("v!1", symbols_in(term)), term.binders[0].sort)
    return quantifier(("forall", "exists")[rng.randrange(2)], (binder,), term)


def extensionality(term: Term, context: ScriptContext, _rng: Random) -> Term | None:
    """`(= a b)` of arrays as `(forall ((i I)) (= (select a i) (select b i)))`."""
    if not context.has_quantifiers or not isinstance(term, App) or _name(term) != "=" or len(term.args) != 2:
        return None
    sort = term.args[0].sort
    if sort.name != "Array" or len(sort.args) != 2:
        return None
    index = var(fresh("v!1", symbols_in(term)), sort.args[0])
    left, right = (app(_SELECT, (arg, index)) for arg in term.args)
    return quantifier("forall", (index,), app(_EQUALS, (left, right)))


def unfold(term: Term, context: ScriptContext, _rng: Random) -> Term | None:
    """The body of a defined function instead of its application."""
    if not isinstance(term, App) or not isinstance(term.head.symbol, Function):
        return None
    body = context.bodies.get(term.head.symbol)
    if body is None or len(body[0]) != len(term.args) or size(body[1]) + size(term) > _MAX_SIZE:
        return None
    return substitute(body[1], dict(zip(body[0], term.args, strict=True)))


# By the name used in lineages.
RULES: Final[dict[str, Rule]] = {
    "arguments permuted": permute,
    "arguments regrouped": regroup,
    "ite lifted": lift_ite,
    "let out": introduce_let,
    "let in": inline_let,
    "variables renamed": rename,
    "quantifier's variables reordered": reorder_binders,
    "quantifier split or merged": split_or_merge,
    "quantifier dualised": dualise,
    "quantifier without need": vacuous_quantifier,
    "extensionality": extensionality,
    "definition unfolded": unfold,
}
# Some solver wants literals as arguments of these.
_WANT_CONSTANTS: Final = frozenset(["const", "^", "re.range", "re.loop", "re.^", "re.diff"])


def _name(term: App) -> str:
    symbol = term.head.symbol
    return symbol.canonical.name if isinstance(symbol, Operator) else ""


def _is_grouping(left: SExpr, right: SExpr) -> bool:
    """Whether a law says that (f (f x y) z) is (f x (f y z))."""
    if len(left) != 3 or len(right) != 3 or isinstance(left, str) or isinstance(right, str):
        return False
    operator, nested, z = left
    return (
        isinstance(nested, tuple)
        and len(nested) == 3
        and nested[0] == operator
        and right == (operator, nested[1], (operator, nested[2], z))
    )


@theory_cache()
def _unordered() -> frozenset[str]:
    """The commutative and associative operators by the laws, and the symmetric `=` and `distinct`."""
    return frozenset(
        str(law.left[0])
        for law in laws.all_laws()
        if law.kind == "equivalent"
        and law.condition is None
        and _is_grouping(law.left, law.right)
        and laws.law_index().is_commutative(str(law.left[0]))
    ) | {"=", "distinct"}
