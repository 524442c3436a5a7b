"""Terms: every operator of the tables, applications of functions, quantifiers, definitions."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import Call, number
from falsum.api.actions.inputs import can_define, can_quantify
from falsum.api.model.mirror import Known, Mirror
from falsum.api.model.random_terms import draw_application
from falsum.api.traces.trace import Line, Reply
from falsum.errors import SortError, UsageError
from falsum.smtlib.scripts import DefineFun
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Function, Head, Term, Var, app, constant, quantifier
from falsum.smtlib.theories import OPERATORS

_MOST_BOUND: Final = 3


class MakeTerm(Call):
    """`t4 = term extract[3,0] t3`, `t5 = term const t1 as s3`, `t6 = term apply f t1`, `t7 = term forall v
    t6`.
    """

    name = word = "term"
    takes = 1
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        return bool(mirror.by_sort)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return draw_application(mirror, rng)

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        head, *names = line.args
        qualifier = None
        if len(names) > 1 and names[-2] == "as":
            qualifier = mirror.sort(names[-1])
            names = names[:-2]
        args = [mirror.known(name) for name in names]
        operator, _, text = head.rstrip("]").partition("[")
        indices = tuple(map(number, text.split(","))) if text else ()
        free = frozenset[str]().union(*(arg.free for arg in args))
        if operator in ("forall", "exists"):
            if not mirror.can_bind(frozenset(names[:-1])):
                raise UsageError("a variable is bound already")
            free -= frozenset(names[:-1])
            term: Term = _quantified(operator, args)
            mirror.bind(frozenset(names[:-1]))
        else:
            term = _applied(operator, indices, qualifier, args, mirror)
            if free and term.sort.name == "Array" and mirror.has("flat-functions"):
                raise UsageError("no array depends on variables here")
        for arg in args:
            arg.uses += 1
        depth = 1 + max((arg.depth for arg in args), default=0)
        nodes = 1 + sum(arg.nodes for arg in args)
        ground = all(arg.is_ground for arg in args)
        mirror.add(Known(line.made[0], term, "term", free, depth, nodes, is_ground=ground))


def _quantified(kind: str, args: list[Known]) -> Term:
    variables = tuple(arg.term for arg in args[:-1] if isinstance(arg.term, Var))
    if not args or len(variables) != len(args) - 1 or not variables or args[-1].sort is not BOOL:
        raise UsageError(f"{kind} takes variables and a formula")
    return quantifier(kind, variables, args[-1].term)


def _applied(
    operator: str, indices: tuple[int, ...], qualifier: object, args: list[Known], mirror: Mirror
) -> Term:
    try:
        if operator in mirror.members:
            return app(mirror.members[operator], [arg.term for arg in args])
        if operator == "apply":
            if not args or args[0].function is None:
                raise UsageError("apply takes a function first")
            return app(Head(args[0].function), [arg.term for arg in args[1:]])
        if operator not in OPERATORS:
            raise UsageError(f"there is no operator {operator}")
        return app(Head(OPERATORS[operator], indices, qualifier), [arg.term for arg in args])  # type: ignore[arg-type]
    except SortError as error:
        raise UsageError(str(error)) from error


class Quantify(Call):
    """Binds variables of a formula that has some."""

    name = "quantify"
    word = "term"
    applies = False

    def ready(self, mirror: Mirror) -> bool:
        return can_quantify(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        bodies = [
            known
            for known in mirror.by_sort.get(BOOL, ())
            if known.free and known.role != "variable" and mirror.can_bind(known.free)
        ]
        if not bodies:
            return None
        body = min(rng.choices(bodies, k=3), key=lambda known: known.uses)
        bound = sorted(body.free, key=lambda name: int(name[1:]))
        if len(bound) > _MOST_BOUND:
            bound = rng.sample(bound, _MOST_BOUND)
        kind = rng.choice(("forall", "exists"))
        return Line("term", (kind, *bound, body.name), (mirror.next_term(),), rng.randrange(1, 100))


class Define(Call):
    """`t9 = define g9 v1 v2 t8`: a function by its definition."""

    name = word = "define"
    takes = 3
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        return can_define(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        bodies = [
            known
            for known in mirror.terms.values()
            if known.free
            and known.role == "term"
            and len(known.free) <= _MOST_BOUND
            and known.depth < 8
            and not (known.sort.name == "Array" and mirror.has("flat-functions"))
            and mirror.can_bind(known.free)
        ]
        if not bodies:
            return None
        body, made = rng.choice(bodies), mirror.next_term()
        bound = sorted(body.free, key=lambda name: int(name[1:]))
        return Line(self.word, (f"g{made[1:]}", *bound, body.name), (made,), rng.randrange(1, 100))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        name, *names = line.args
        body = mirror.known(names[-1])
        variables = [mirror.known(each).term for each in names[:-1]]
        binders = tuple(each for each in variables if isinstance(each, Var))
        if len(binders) != len(variables) or not body.free <= set(names[:-1]) or not binders:
            raise UsageError("define takes all variables of the body and the body")
        if not mirror.can_bind(frozenset(names[:-1])):
            raise UsageError("a variable is bound already")
        mirror.bind(frozenset(names[:-1]))
        function = Function(name, tuple(each.sort for each in binders), body.sort, role="defined")
        mirror.declarations.append(DefineFun(function, binders, body.term))
        mirror.add(
            Known(
                line.made[0],
                constant(function),
                "function",
                depth=body.depth,
                nodes=body.nodes,
                function=function,
            )
        )
