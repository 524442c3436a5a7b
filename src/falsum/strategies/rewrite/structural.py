"""Changes of a term's shape that keep its meaning and that no law can say: they concern binders, any number
of arguments, or any operator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib import laws
from falsum.smtlib.logics import PRODUCTS
from falsum.smtlib.operators import Operator
from falsum.smtlib.sexpr import SExpr
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
from falsum.smtlib.theories import OPERATORS, theory_cache
from falsum.smtlib.walk import free_variables, size

_NOT, _ITE, _EQUALS, _SELECT = (Head(OPERATORS[name]) for name in ("not", "ite", "=", "select"))
# A let is put in, a definition unfolded, only if the term stays this small.
_LARGEST: Final = 400


class Definitions(NamedTuple):
    """What a seed lets a change use: its definitions, and what its logic allows."""

    bodies: Mapping[Function, tuple[tuple[Var, ...], Term]]
    is_linear: bool
    has_quantifiers: bool


Change = Callable[[Term, Definitions, Random], Term | None]


def permuted(term: Term, _seed: Definitions, rng: Random) -> Term | None:
    """The arguments in another order, where order and grouping do not matter."""
    if not isinstance(term, App) or len(term.args) < 2 or _name(term) not in _unordered():
        return None
    args = list(term.args)
    rng.shuffle(args)
    return app(term.head, args)


def regrouped(term: Term, _seed: Definitions, rng: Random) -> Term | None:
    """Many arguments two by two, or a nested application of the same operator flat."""
    if not isinstance(term, App):
        return None
    if len(term.args) > 2:
        made = laws.binary(term)
        return made if made is not term else None
    if laws.associativity(term.head) not in ("left-assoc", "nary") or _name(term) not in _unordered():
        return None
    nested = [i for i, arg in enumerate(term.args) if isinstance(arg, App) and arg.head is term.head]
    if len(term.args) != 2 or not nested:
        return None
    place = nested[rng.randrange(len(nested))]
    inner = term.args[place]
    assert isinstance(inner, App)
    return app(term.head, (*term.args[:place], *inner.args, *term.args[place + 1 :]))


def lifted(term: Term, seed: Definitions, rng: Random) -> Term | None:
    """`ite` out of an argument: (f (ite c a b)) is (ite c (f a) (f b))."""
    if not isinstance(term, App) or term.sort.name == "RegLan" or _name(term) == "ite":
        return None
    if seed.is_linear and _name(term) in PRODUCTS:
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


def let_out(term: Term, seed: Definitions, rng: Random) -> Term | None:
    """An argument bound by a let around the term, wherever it is one."""
    if not isinstance(term, App) or not term.args or (seed.is_linear and _name(term) in PRODUCTS):
        return None
    if not isinstance(term.head.symbol, Operator) or _name(term) in _WANT_CONSTANTS:
        return None
    chosen = term.args[rng.randrange(len(term.args))]
    name = fresh("v!1", symbols_in(term))
    binder = var(name, chosen.sort)
    return let((binder,), (chosen,), app(term.head, [binder if arg is chosen else arg for arg in term.args]))


def let_in(term: Term, _seed: Definitions, _rng: Random) -> Term | None:
    """The values of a let for its variables."""
    if not isinstance(term, Let) or size(term) > _LARGEST:
        return None
    return substitute(term.body, dict(zip(term.binders, term.values, strict=True)))


def renamed(term: Term, _seed: Definitions, _rng: Random) -> Term | None:
    """Other names for the variables a term binds at its root."""
    if isinstance(term, Quantifier | Lambda | Let):
        names = frozenset(binder.name for binder in term.binders)
    elif isinstance(term, Match):
        names = frozenset(binder.name for case in term.cases for binder in case.binders)
    else:
        return None
    made = rename_binders(term, names)
    return made if made is not term else None


def reordered(term: Term, _seed: Definitions, rng: Random) -> Term | None:
    """The variables of a quantifier in another order."""
    if not isinstance(term, Quantifier) or len(term.binders) < 2:
        return None
    names = {binder.name for binder in term.binders}
    if len(names) < len(term.binders):
        return None
    binders = list(term.binders)
    rng.shuffle(binders)
    return quantifier(term.kind, tuple(binders), term.body)


def split(term: Term, _seed: Definitions, rng: Random) -> Term | None:
    """A quantifier over several variables as two quantifiers, or two of a kind as one."""
    if not isinstance(term, Quantifier):
        return None
    inner = term.body
    if isinstance(inner, Quantifier) and inner.kind == term.kind and not isinstance(inner.body, Annotated):
        names = {binder.name for binder in inner.binders}
        if names.isdisjoint(binder.name for binder in term.binders):
            return quantifier(term.kind, term.binders + inner.binders, inner.body)
    # Patterns speak of all variables of their quantifier.
    if len(term.binders) < 2 or isinstance(inner, Annotated):
        return None
    place = rng.randrange(1, len(term.binders))
    return quantifier(term.kind, term.binders[:place], quantifier(term.kind, term.binders[place:], inner))


def dualised(term: Term, _seed: Definitions, _rng: Random) -> Term | None:
    """`forall` as not `exists` not, and the other way round."""
    if not isinstance(term, Quantifier):
        return None
    body = term.body.body if isinstance(term.body, Annotated) else term.body
    other = "exists" if term.kind == "forall" else "forall"
    return app(_NOT, (quantifier(other, term.binders, app(_NOT, (body,))),))


def vacuous(term: Term, seed: Definitions, rng: Random) -> Term | None:
    """A quantifier over a variable that does not occur, or a quantifier without those that do not."""
    if isinstance(term, Quantifier) and not isinstance(term.body, Annotated):
        used = free_variables(term.body)
        binders = tuple(binder for binder in term.binders if binder in used)
        if len(binders) < len(term.binders):
            return quantifier(term.kind, binders, term.body) if binders else term.body
    if not seed.has_quantifiers or not isinstance(term, Quantifier):
        return None
    binder = var(fresh("v!1", symbols_in(term)), term.binders[0].sort)
    return quantifier(("forall", "exists")[rng.randrange(2)], (binder,), term)


def extensional(term: Term, seed: Definitions, _rng: Random) -> Term | None:
    """Equality of arrays as equality of all their elements."""
    if not seed.has_quantifiers or not isinstance(term, App) or _name(term) != "=" or len(term.args) != 2:
        return None
    sort = term.args[0].sort
    if sort.name != "Array" or len(sort.args) != 2:
        return None
    index = var(fresh("v!1", symbols_in(term)), sort.args[0])
    left, right = (app(_SELECT, (arg, index)) for arg in term.args)
    return quantifier("forall", (index,), app(_EQUALS, (left, right)))


def unfolded(term: Term, seed: Definitions, _rng: Random) -> Term | None:
    """A defined function's body for its call."""
    if not isinstance(term, App) or not isinstance(term.head.symbol, Function):
        return None
    known = seed.bodies.get(term.head.symbol)
    if known is None or len(known[0]) != len(term.args) or size(known[1]) + size(term) > _LARGEST:
        return None
    return substitute(known[1], dict(zip(known[0], term.args, strict=True)))


CHANGES: Final[dict[str, Change]] = {
    "arguments permuted": permuted,
    "arguments regrouped": regrouped,
    "ite lifted": lifted,
    "let out": let_out,
    "let in": let_in,
    "variables renamed": renamed,
    "quantifier's variables reordered": reordered,
    "quantifier split or merged": split,
    "quantifier dualised": dualised,
    "quantifier without need": vacuous,
    "extensionality": extensional,
    "definition unfolded": unfolded,
}
# Arguments of these are best left as they are written.
_WANT_CONSTANTS: Final = frozenset(["const", "^", "re.range", "re.loop", "re.^", "re.diff"])


def _name(term: App) -> str:
    symbol = term.head.symbol
    return symbol.canonical.name if isinstance(symbol, Operator) else ""


def _is_grouping(left: SExpr, right: SExpr) -> bool:
    """(f (f x y) z) and (f x (f y z))."""
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
    """Operators that are commutative and associative, by the laws; equality and `distinct` are symmetric."""
    return frozenset(
        str(law.left[0])
        for law in laws.all_laws()
        if law.kind == "equivalent"
        and law.condition is None
        and _is_grouping(law.left, law.right)
        and laws.law_index().is_commutative(str(law.left[0]))
    ) | {"=", "distinct"}
